import functools

import flyte
from flytekit import Resources, task

from resolvers import own_resolver

env = flyte.TaskEnvironment(name="a", resources=flyte.Resources(gpu="T4:1"))


def logged(function):
    return function


def make_task():
    @task(requests=Resources(gpu="1"), task_resolver=own_resolver)
    def train(): ...

    @task(requests=Resources(gpu="1"))
    @logged
    def report(): ...

    @env.task
    def other(): ...

    return train, report, other


if True:

    @task(requests=Resources(gpu="1"))
    def plain(): ...
