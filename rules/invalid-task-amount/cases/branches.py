import os

from flytekit import Resources, task

if os.environ.get("SHARED"):
    gpu = "0.5"
else:
    gpu = "0"


@task(requests=Resources(gpu=gpu))
def train(): ...
