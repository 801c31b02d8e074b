from flytekit import Resources, task

BIG = Resources(gpu="8")


@task(requests=BIG)
def train(): ...
