import flyte

lower = flyte.TaskEnvironment(name="lower", resources=flyte.Resources(gpu="a100:2"))
nvidia = flyte.TaskEnvironment(name="nvidia", resources=flyte.Resources(gpu="L40S:1"))


@lower.task
def one(): ...


@nvidia.task
def two(): ...
