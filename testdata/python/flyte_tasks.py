"""Tasks as users of Flyte 2 write them; what its SDK makes of them is recorded beside this file."""
import flyte

COUNT = 2

one = flyte.TaskEnvironment(name="one", resources=flyte.Resources(gpu=1))
typed = flyte.TaskEnvironment(
    name="typed", resources=flyte.Resources(cpu=(1, 2), memory="4Gi", gpu="A100:1", shm="auto")
)
partition = flyte.TaskEnvironment(
    name="partition", resources=flyte.Resources(gpu=flyte.GPU("A100", 1, "2g.10gb"))
)
h100 = flyte.TaskEnvironment(name="h100", resources=flyte.Resources(gpu="H100:8"))
h200 = flyte.TaskEnvironment(name="h200", resources=flyte.Resources(gpu=f"H200:{COUNT}"))
t4 = flyte.TaskEnvironment(name="t4", resources=flyte.Resources(gpu="T4:1", disk="10Gi"))
l40s = flyte.TaskEnvironment(name="l40s", resources=flyte.Resources(gpu="L40s:1"))
own = flyte.TaskEnvironment(
    name="own",
    resources=flyte.Resources(
        gpu=flyte.Device(quantity=1, device_class="GPU", device="my-gpu", partition="1g.5gb")
    ),
)
amd = flyte.TaskEnvironment(name="amd", resources=flyte.Resources(gpu="MI350X:1"))
none = t4.clone_with(name="none", resources=flyte.Resources(gpu=0))
two = t4.clone_with(name="two", resources=flyte.Resources(gpu="L4:2"))
kept = t4.clone_with(name="kept")


@one.task
async def a() -> None: ...


@typed.task(cache="auto")
async def b() -> None: ...


@partition.task
def c() -> None: ...


@h100.task
def d() -> None: ...


@h200.task
def e() -> None: ...


@t4.task
def f() -> None: ...


@l40s.task
def g() -> None: ...


@own.task
def h() -> None: ...


@amd.task
def i() -> None: ...


@none.task
def j() -> None: ...


@two.task
def k() -> None: ...


@kept.task(interruptible=True)
def m() -> None: ...
