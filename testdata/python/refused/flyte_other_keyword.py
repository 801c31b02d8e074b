import flyte

env = flyte.TaskEnvironment(name="a", resources=flyte.Resources(gpu="T4:1", mem="4Gi"))


@env.task
def train() -> None: ...
