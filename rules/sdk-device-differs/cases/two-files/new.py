import flyte

env = flyte.TaskEnvironment(name="gpu", resources=flyte.Resources(gpu="H200:1"))


@env.task
def after(): ...
