import flyte

half = flyte.TaskEnvironment(name="half", resources=flyte.Resources(gpu=0.5))
negative = flyte.TaskEnvironment(name="negative", resources=flyte.Resources(gpu=-1))


@half.task
def one(): ...


@negative.task
def two(): ...
