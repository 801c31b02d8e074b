import os

from flytekit import Resources, task, workflow
from flytekit.extras.accelerators import A100, V5E


@task(requests=Resources(gpu="1"), accelerator=A100)
def asked(): ...


@task(accelerator=A100)
def asked_where_it_is_used(): ...


# gpulint: ignore[opaque-task-resources] the amount is known in the cluster only
@task(limits=Resources(gpu=os.environ["GPUS"]), accelerator=A100)
def computed(): ...


@task(accelerator=V5E.slice_2x2)
def tpu(): ...


@workflow
def work():
    asked_where_it_is_used().with_overrides(requests=Resources(gpu="1"))
