from flytekit import Resources, task, workflow


@task(requests=Resources(gpu="2"))
def train(): ...


@task(requests=Resources(cpu="1"))
def plain(): ...


@workflow
def work(gpus: str):
    train().with_overrides(requests=Resources(gpu="4"), limits=Resources(gpu="4"))
    train().with_overrides(requests=Resources(gpu="1"))
    train().with_overrides(limits=Resources(gpu="2"))
    # gpulint: ignore[opaque-task-resources] the amount is known in the cluster only
    train().with_overrides(requests=Resources(gpu=gpus))
    plain().with_overrides(requests=Resources(gpu="4"))
