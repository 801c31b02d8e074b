import flyte

env = flyte.TaskEnvironment(name="a", resources=flyte.Resources(gpu="T4:1", bandwidth="1G"))


@env.task
def train(): ...
