import flyte

many = flyte.TaskEnvironment(name="many", resources=flyte.Resources(cpu=4, gpu="A100:9"))
none = flyte.TaskEnvironment(name="none", resources=flyte.Resources(gpu="H100"))
text = flyte.TaskEnvironment(name="text", resources=flyte.Resources(gpu="2"))


@many.task
def one(): ...


@none.task
def two(): ...


@text.task
def three(): ...
