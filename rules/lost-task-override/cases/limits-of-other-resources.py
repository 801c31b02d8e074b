from flytekit import Resources, dynamic, task


@task(limits=Resources(gpu="1"))
def train(): ...


@dynamic
def work():
    train().with_overrides(requests=Resources(gpu="2"), limits=Resources(mem="8Gi"))
