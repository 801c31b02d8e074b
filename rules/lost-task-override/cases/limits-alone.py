from flytekit import Resources, task, workflow


@task(limits=Resources(gpu="1"))
def train(): ...


@workflow
def work():
    train().with_overrides(limits=Resources(gpu="4"))
