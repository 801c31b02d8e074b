import flyte

env = flyte.TaskEnvironment(name="a", resources=flyte.Resources(gpu=flyte.Device(2, "GPU")))


@env.task
def train() -> None: ...
