import os
from dataclasses import dataclass, replace

import flyte
from flytekit import Resources, task

NODES = 2
BASE = Resources(gpu="1", mem="4Gi")


@dataclass
class Config:
    gpus: str = "2"


config = Config()

if os.environ.get("SMALL"):
    gpu = "0"
    resources = Resources(gpu="0")
else:
    gpu = "4"
    resources = Resources(gpu="8")

env = flyte.TaskEnvironment(
    name="a", resources=flyte.Resources(gpu="T4:1" if os.environ.get("SMALL") else "T4:4")
)


@task(requests=Resources(gpu=gpu), limits=Resources(gpu=gpu))
def one(): ...


@task(requests=resources)
def two(): ...


@task(requests=Resources(gpu=config.gpus))
def three(): ...


@task(requests=replace(BASE, gpu=str(NODES * 4)))
def four(): ...


@task(requests=Resources(gpu=os.environ.get("GPUS", "2")))
def five(): ...


@env.task
def six(): ...
