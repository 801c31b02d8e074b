import flyte

env = flyte.TaskEnvironment(name="a")


@env.task(resources=flyte.Resources(gpu="T4:1"))
def train() -> None: ...
