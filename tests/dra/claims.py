class Generator:
    def __init__(self, seed): pass
