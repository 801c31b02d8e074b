import flyte

SIZE = 8
large = flyte.TaskEnvironment(name="large", resources=flyte.Resources(gpu="A100_80G:1"))
old = flyte.TaskEnvironment(name="old", resources=flyte.Resources(gpu="A100 80G:2"))
shared = flyte.TaskEnvironment(name="shared", resources=flyte.Resources(gpu="T4 shared:1"))
neuron = flyte.TaskEnvironment(name="neuron", resources=flyte.Resources(gpu="Trn1:16"))
folded = flyte.TaskEnvironment(name="folded", resources=flyte.Resources(gpu=f"H100:{SIZE}"))
number = flyte.TaskEnvironment(name="number", resources=flyte.Resources(gpu=16))
own = flyte.TaskEnvironment(
    name="own", resources=flyte.Resources(gpu=flyte.Device(quantity=1, device_class="GPU", device="my-gpu"))
)


@large.task
def zero(): ...


@old.task
def one(): ...


@shared.task
def two(): ...


@neuron.task
def three(): ...


@folded.task
def four(): ...


@number.task
def five(): ...


@own.task
def six(): ...
