from dataclasses import replace

from flytekit import Resources, task

BASE = Resources(gpu="1")


@task(requests=replace(BASE, gpus="2"))
def train(): ...
