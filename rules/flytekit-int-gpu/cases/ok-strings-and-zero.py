import os

from flytekit import Resources, task


@task(requests=Resources(gpu="1"))
def text(): ...


@task(requests=Resources(gpu=0, cpu="1"))
def zero(): ...


# gpulint: ignore[opaque-task-resources] the amount is known in the cluster only
@task(requests=Resources(gpu=os.environ["GPUS"]))
def computed(): ...
