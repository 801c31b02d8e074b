from flytekit import Resources, task


@task(requests=Resources(gpu="8"), limits=Resources(gpu="8"))
def train() -> int:
    return 0


@task(requests=Resources(gpu="4"), limits=Resources(gpu="4"))
def evaluate() -> int:
    return 0
