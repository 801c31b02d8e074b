from flytekit import Resources, map_task, task, workflow


@task(requests=Resources(gpu="1"))
def train(x: int): ...


@workflow
def work():
    map_task(train)(x=[1, 2]).with_overrides(requests=Resources(gpu="4"))
