import flytekit as fk
from flytekit import Resources, task, workflow

BIG = Resources(gpu="8")


@task(requests=Resources(gpu="1"))
def train(): ...


@task(requests=Resources(gpu="2"), limits=Resources(gpu="2"))
def tune(): ...


@workflow
def work():
    train().with_overrides(requests=Resources(gpu="2", mem="8Gi"))
    tune().with_overrides(requests=fk.Resources(gpu="4"))
    train().with_overrides(requests=BIG)
    train().with_overrides(requests=Resources(gpu="2"), limits=Resources(mem="8Gi"))
