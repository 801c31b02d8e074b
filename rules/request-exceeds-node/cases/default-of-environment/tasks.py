import os

from flytekit import Resources, task

GPUS = os.environ.get("GPUS", "4")


def count(name):
    return str(int(os.getenv(name, "4")) * 2)


@task(requests=Resources(gpu=GPUS), limits=Resources(gpu=GPUS))
def train(): ...


@task(requests=Resources(gpu=count("EVAL_GPUS")), limits=Resources(gpu="8"))
def evaluate(): ...


@task(requests=Resources(gpu="4"), limits=Resources(gpu="4"))
def always(): ...
