import flyte

env = flyte.TaskEnvironment(name="train", resources=flyte.Resources(cpu=("1", "4"), gpu=("A100", 4)))


@env.task
async def train(): ...
