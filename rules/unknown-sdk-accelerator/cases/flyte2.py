import flyte

wrong = flyte.TaskEnvironment(name="wrong", resources=flyte.Resources(gpu=flyte.GPU("A100", 1, "9g.9gb")))
case = flyte.TaskEnvironment(name="case", resources=flyte.Resources(gpu=flyte.GPU("H100", 1, partition="1G.10GB")))
tpu = flyte.TaskEnvironment(name="tpu", resources=flyte.Resources(gpu=flyte.TPU("V5P", "9x9x9")))


@wrong.task
def one(): ...


@case.task
def two(): ...


@tpu.task
def three(): ...
