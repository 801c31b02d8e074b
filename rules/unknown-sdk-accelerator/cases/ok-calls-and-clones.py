import flyte
from flyte import GPU, Resources, TaskEnvironment

COUNT = 16
many = TaskEnvironment(name="many", resources=Resources(gpu=GPU("A100", COUNT)))
tpu = many.clone_with(name="tpu", resources=Resources(gpu=flyte.TPU("V5E", "2x2")))
shared = many.clone_with(name="shared", resources=Resources(gpu=GPU("L40S shared", 1)))


@many.task
def one(): ...


@tpu.task
def two(): ...


@shared.task
def three(): ...
