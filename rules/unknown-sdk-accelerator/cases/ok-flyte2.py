import flyte

fine = flyte.TaskEnvironment(name="fine", resources=flyte.Resources(gpu=flyte.GPU("H200", 1, "1g.18gb")))
free = flyte.TaskEnvironment(
    name="free",
    resources=flyte.Resources(gpu=flyte.Device(quantity=1, device_class="GPU", device="x", partition="y")),
)
tpu = flyte.TaskEnvironment(name="tpu", resources=flyte.Resources(gpu=flyte.TPU("V6E", "2x2")))


@fine.task
def one(): ...


@free.task
def two(): ...


@tpu.task
def three(): ...
