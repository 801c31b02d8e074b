import os

import flyte
from flytekit import Resources, task, workflow

NODES = 2
env = flyte.TaskEnvironment(name="a", resources=flyte.Resources(gpu="T4:1"))
plain = flyte.TaskEnvironment(name="b", resources=flyte.Resources(gpu=2))


@task(requests=Resources(gpu="1"), limits=Resources(gpu="1"))
def one(): ...


@task(requests=Resources(gpu=str(NODES * 4)), limits=Resources(gpu=f"{NODES * 4}"))
def two(): ...


# gpulint: ignore[opaque-task-resources] the amount is known in the cluster only
@task(requests=Resources(gpu=os.environ["GPUS"]), limits=Resources(gpu="1"))
def three(): ...


@task(limits=Resources(gpu="2"))
def four(): ...


@task(requests=Resources(gpu="0"))
def five(): ...


@env.task
def six(): ...


@plain.task
def seven(): ...


@workflow
def work():
    one().with_overrides(requests=Resources(gpu="2"), limits=Resources(gpu="2"))
