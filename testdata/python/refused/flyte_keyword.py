import flyte

env = flyte.TaskEnvironment(name="a", resources=flyte.Resources(gpus="T4:1"))


@env.task
def train() -> None: ...
