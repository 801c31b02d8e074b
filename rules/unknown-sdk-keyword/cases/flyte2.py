import flyte

env = flyte.TaskEnvironment(name="a", resources=flyte.Resources(gpus="T4:1", mem="4Gi"))
other = flyte.TaskEnvironment(name="b", requests=flyte.Resources(gpu="T4:1"))
plain = flyte.TaskEnvironment(name="c")


@env.task
def one(): ...


@other.task
def two(): ...


@plain.task(resources=flyte.Resources(gpu="T4:1"))
def three(): ...
