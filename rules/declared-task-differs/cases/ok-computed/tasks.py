import os

from flytekit import Resources, task


@task(requests=Resources(gpu=os.environ["GPUS"]))
def train(): ...
