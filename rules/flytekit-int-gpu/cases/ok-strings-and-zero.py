import os

from flytekit import Resources, task


@task(requests=Resources(gpu="1"))
def text(): ...


@task(requests=Resources(gpu=0, cpu="1"))
def zero(): ...


@task(requests=Resources(gpu=os.environ["GPUS"]))
def computed(): ...
