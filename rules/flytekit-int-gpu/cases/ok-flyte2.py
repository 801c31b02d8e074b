import flyte

env = flyte.TaskEnvironment(name="gpu", resources=flyte.Resources(gpu=1))


@env.task
def train(): ...
