from flytekit import Resources, task, workflow

from gpus import ONE, WHERE


@task(requests=ONE, accelerator=WHERE)
def train() -> None: ...


@task(requests=Resources(gpu="1"))
def embed() -> None: ...


@workflow
def nightly() -> None:
    embed()
    train().with_overrides(requests=Resources(gpu="4"), limits=Resources(gpu="4"))
