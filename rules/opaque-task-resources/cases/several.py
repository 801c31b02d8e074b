import flyte
from settings import GPU_RESOURCES, options

env = flyte.TaskEnvironment(name="gpu", resources=GPU_RESOURCES)
other = flyte.TaskEnvironment(name="other", **options)


@env.task
def one(): ...


@other.task
def two(): ...
