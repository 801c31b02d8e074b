import flyte

env = flyte.TaskEnvironment(name="serve", resources=flyte.Resources(gpu="L4:1"))


@env.task
async def answer() -> None: ...
