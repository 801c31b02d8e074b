"""Tasks as users of Flyte 2 write them; what its SDK makes of them is recorded beside this file."""
import flyte
from flyte import PodTemplate
from kubernetes.client import V1Container, V1PodSpec, V1ResourceRequirements

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


text_0 = flyte.TaskEnvironment(name="text-0", resources=flyte.Resources(gpu="A2:1"))
text_1 = flyte.TaskEnvironment(name="text-1", resources=flyte.Resources(gpu="A10:8"))
text_2 = flyte.TaskEnvironment(name="text-2", resources=flyte.Resources(gpu="A10G:4"))
text_3 = flyte.TaskEnvironment(name="text-3", resources=flyte.Resources(gpu="A100:8"))
text_4 = flyte.TaskEnvironment(name="text-4", resources=flyte.Resources(gpu="A100_80G:1"))
text_5 = flyte.TaskEnvironment(name="text-5", resources=flyte.Resources(gpu="A100_80G:8"))
text_6 = flyte.TaskEnvironment(name="text-6", resources=flyte.Resources(gpu="A100 80G:2"))
text_7 = flyte.TaskEnvironment(name="text-7", resources=flyte.Resources(gpu="B200:8"))
text_8 = flyte.TaskEnvironment(name="text-8", resources=flyte.Resources(gpu="H100:1"))
text_9 = flyte.TaskEnvironment(name="text-9", resources=flyte.Resources(gpu="H200:8"))
text_10 = flyte.TaskEnvironment(name="text-10", resources=flyte.Resources(gpu="L4:4"))
text_11 = flyte.TaskEnvironment(name="text-11", resources=flyte.Resources(gpu="L40s:8"))
text_12 = flyte.TaskEnvironment(name="text-12", resources=flyte.Resources(gpu="V100:2"))
text_13 = flyte.TaskEnvironment(name="text-13", resources=flyte.Resources(gpu="RTX_PRO_4500:1"))
text_14 = flyte.TaskEnvironment(name="text-14", resources=flyte.Resources(gpu="RTX_PRO_6000:2"))
text_15 = flyte.TaskEnvironment(name="text-15", resources=flyte.Resources(gpu="RTX PRO 6000:1"))
text_16 = flyte.TaskEnvironment(name="text-16", resources=flyte.Resources(gpu="GB10:1"))
text_17 = flyte.TaskEnvironment(name="text-17", resources=flyte.Resources(gpu="T4:8"))
text_18 = flyte.TaskEnvironment(name="text-18", resources=flyte.Resources(gpu="T4 shared:1"))
text_19 = flyte.TaskEnvironment(name="text-19", resources=flyte.Resources(gpu="L4 shared:1"))
text_20 = flyte.TaskEnvironment(name="text-20", resources=flyte.Resources(gpu="A10G shared:1"))
text_21 = flyte.TaskEnvironment(name="text-21", resources=flyte.Resources(gpu="A10 shared:1"))
text_22 = flyte.TaskEnvironment(name="text-22", resources=flyte.Resources(gpu="L40S shared:1"))
text_23 = flyte.TaskEnvironment(name="text-23", resources=flyte.Resources(gpu="Trn1:16"))
text_24 = flyte.TaskEnvironment(name="text-24", resources=flyte.Resources(gpu="Trn1n:4"))
text_25 = flyte.TaskEnvironment(name="text-25", resources=flyte.Resources(gpu="Trn2:8"))
text_26 = flyte.TaskEnvironment(name="text-26", resources=flyte.Resources(gpu="Trn2u:1"))
text_27 = flyte.TaskEnvironment(name="text-27", resources=flyte.Resources(gpu="Inf1:16"))
text_28 = flyte.TaskEnvironment(name="text-28", resources=flyte.Resources(gpu="Inf2:12"))
text_29 = flyte.TaskEnvironment(name="text-29", resources=flyte.Resources(gpu="MI100:1"))
text_30 = flyte.TaskEnvironment(name="text-30", resources=flyte.Resources(gpu="MI210:1"))
text_31 = flyte.TaskEnvironment(name="text-31", resources=flyte.Resources(gpu="MI250X:1"))
text_32 = flyte.TaskEnvironment(name="text-32", resources=flyte.Resources(gpu="MI300A:1"))
text_33 = flyte.TaskEnvironment(name="text-33", resources=flyte.Resources(gpu="MI355X:1"))
text_34 = flyte.TaskEnvironment(name="text-34", resources=flyte.Resources(gpu="Gaudi1:1"))
call_0 = flyte.TaskEnvironment(name="call-0", resources=flyte.Resources(gpu=flyte.GPU("T4", 1)))
call_1 = flyte.TaskEnvironment(name="call-1", resources=flyte.Resources(gpu=flyte.GPU("A100_80G", 1, "3g.40gb")))
call_2 = flyte.TaskEnvironment(name="call-2", resources=flyte.Resources(gpu=flyte.GPU("H100", 2, partition="1g.10gb")))
call_3 = flyte.TaskEnvironment(name="call-3", resources=flyte.Resources(gpu=flyte.GPU(device="H200", quantity=1, partition="7g.141gb")))
call_4 = flyte.TaskEnvironment(name="call-4", resources=flyte.Resources(gpu=flyte.GPU("RTX_PRO_6000", 1, "1g.24gb")))
call_5 = flyte.TaskEnvironment(name="call-5", resources=flyte.Resources(gpu=flyte.GPU("A100 80G", 1)))
call_6 = flyte.TaskEnvironment(name="call-6", resources=flyte.Resources(gpu=flyte.GPU("L4 shared", 1)))
call_7 = flyte.TaskEnvironment(name="call-7", resources=flyte.Resources(gpu=flyte.GPU("A100", 16)))
call_8 = flyte.TaskEnvironment(name="call-8", resources=flyte.Resources(gpu=flyte.TPU("V5P", "2x2x1")))
call_9 = flyte.TaskEnvironment(name="call-9", resources=flyte.Resources(gpu=flyte.TPU("V6E", "2x4")))
call_10 = flyte.TaskEnvironment(name="call-10", resources=flyte.Resources(gpu=flyte.TPU("V5E", "4x4")))
call_11 = flyte.TaskEnvironment(name="call-11", resources=flyte.Resources(gpu=flyte.Device(2, "GPU", "A100")))
call_12 = flyte.TaskEnvironment(name="call-12", resources=flyte.Resources(gpu=flyte.Device(quantity=1, device_class="GPU", device="nvidia-rtx-a6000")))
call_13 = flyte.TaskEnvironment(name="call-13", resources=flyte.Resources(gpu=16))
call_14 = flyte.TaskEnvironment(name="call-14", resources=flyte.Resources(gpu=COUNT))
BASE = flyte.Resources(cpu="4", memory=("4Gi", "8Gi"), gpu="L4:1")
shared = flyte.TaskEnvironment(name="shared", resources=BASE)
plain = flyte.TaskEnvironment("plain")
clone = shared.clone_with("clone", resources=flyte.Resources(gpu=f"{'H'}100:{COUNT}"))
again = clone.clone_with(name="again")


@text_0.task
def of_text_0() -> None: ...


@text_1.task
def of_text_1() -> None: ...


@text_2.task
def of_text_2() -> None: ...


@text_3.task
def of_text_3() -> None: ...


@text_4.task
def of_text_4() -> None: ...


@text_5.task
def of_text_5() -> None: ...


@text_6.task
def of_text_6() -> None: ...


@text_7.task
def of_text_7() -> None: ...


@text_8.task
def of_text_8() -> None: ...


@text_9.task
def of_text_9() -> None: ...


@text_10.task
def of_text_10() -> None: ...


@text_11.task
def of_text_11() -> None: ...


@text_12.task
def of_text_12() -> None: ...


@text_13.task
def of_text_13() -> None: ...


@text_14.task
def of_text_14() -> None: ...


@text_15.task
def of_text_15() -> None: ...


@text_16.task
def of_text_16() -> None: ...


@text_17.task
def of_text_17() -> None: ...


@text_18.task
def of_text_18() -> None: ...


@text_19.task
def of_text_19() -> None: ...


@text_20.task
def of_text_20() -> None: ...


@text_21.task
def of_text_21() -> None: ...


@text_22.task
def of_text_22() -> None: ...


@text_23.task
def of_text_23() -> None: ...


@text_24.task
def of_text_24() -> None: ...


@text_25.task
def of_text_25() -> None: ...


@text_26.task
def of_text_26() -> None: ...


@text_27.task
def of_text_27() -> None: ...


@text_28.task
def of_text_28() -> None: ...


@text_29.task
def of_text_29() -> None: ...


@text_30.task
def of_text_30() -> None: ...


@text_31.task
def of_text_31() -> None: ...


@text_32.task
def of_text_32() -> None: ...


@text_33.task
def of_text_33() -> None: ...


@text_34.task
def of_text_34() -> None: ...


@call_0.task
async def of_call_0() -> None: ...


@call_1.task
async def of_call_1() -> None: ...


@call_2.task
async def of_call_2() -> None: ...


@call_3.task
async def of_call_3() -> None: ...


@call_4.task
async def of_call_4() -> None: ...


@call_5.task
async def of_call_5() -> None: ...


@call_6.task
async def of_call_6() -> None: ...


@call_7.task
async def of_call_7() -> None: ...


@call_8.task
async def of_call_8() -> None: ...


@call_9.task
async def of_call_9() -> None: ...


@call_10.task
async def of_call_10() -> None: ...


@call_11.task
async def of_call_11() -> None: ...


@call_12.task
async def of_call_12() -> None: ...


@call_13.task
async def of_call_13() -> None: ...


@call_14.task
async def of_call_14() -> None: ...


@shared.task(interruptible=True)
def with_constant() -> None: ...


@plain.task
def without() -> None: ...


@clone.task
def cloned() -> None: ...


@again.task(retries=2)
def cloned_again() -> None: ...


large = with_constant.override(resources=flyte.Resources(gpu="L4:2", cpu=8))
small = without.override(resources=flyte.Resources(gpu="T4:1"), interruptible=True)


old_device = flyte.TaskEnvironment(
    name="old-device",
    resources=flyte.Resources(gpu=flyte.Device(1, "GPU", "P100")),
)
unmapped_device = flyte.TaskEnvironment(
    name="unmapped-device", resources=flyte.Resources(gpu=flyte.Device(1, "GPU", "L40S", None))
)


@old_device.task
def on_p100() -> None: ...


@unmapped_device.task
def on_l40s() -> None: ...


template = PodTemplate(
    primary_container_name="main",
    pod_spec=V1PodSpec(
        containers=[
            V1Container(
                name="main",
                resources=V1ResourceRequirements(
                    requests={"cpu": "3"}, limits={"nvidia.com/gpu": "2", "cpu": "4"}
                ),
            )
        ]
    ),
)
in_template = flyte.TaskEnvironment(name="in-template", pod_template=template)
beside_template = flyte.TaskEnvironment(
    name="beside-template", pod_template=template, resources=flyte.Resources(gpu="T4:2", cpu=(1, 2))
)
by_name = flyte.TaskEnvironment(
    name="by-name", pod_template="gpu-base", resources=flyte.Resources(gpu=1)
)


@in_template.task
def of_template() -> None: ...


@beside_template.task
def beside() -> None: ...


@by_name.task
def named() -> None: ...
