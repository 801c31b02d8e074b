import functools

from flytekit import Resources, dynamic, task

gpu_task = functools.partial(task, requests=Resources(gpu="1"))


@dynamic
def plan():
    if True:

        @gpu_task
        def train(): ...

        train()
