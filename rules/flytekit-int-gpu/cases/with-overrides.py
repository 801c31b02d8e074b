from flytekit import Resources, task, workflow


@task(requests=Resources(gpu="1"))
def train(): ...


@workflow
def work():
    train().with_overrides(requests=Resources(gpu=4), limits=Resources(gpu=4))
