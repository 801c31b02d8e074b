import flyte

call = flyte.TaskEnvironment(name="call", resources=flyte.Resources(gpu=flyte.GPU("h200", 1)))
later = flyte.TaskEnvironment(name="later", resources=flyte.Resources(gpu="R300:4"))


@call.task
def one(): ...


@later.task
def two(): ...
