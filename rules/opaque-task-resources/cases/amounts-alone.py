import os

from flytekit import Resources, task


@task(requests=Resources(gpu=os.environ["GPUS"]), limits=Resources(gpu=os.environ["GPUS"]))
def train(): ...


@task(requests=Resources(gpu=os.environ.get("GPUS", "0")))
def tune(): ...
