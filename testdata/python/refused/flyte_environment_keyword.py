import flyte

env = flyte.TaskEnvironment(name="a", requests=flyte.Resources(gpu="T4:1"))


@env.task
def train() -> None: ...
