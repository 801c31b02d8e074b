"""Tasks as flytekit's users write them; what flytekit makes of them is recorded beside this file."""
import dataclasses
import functools

import flytekit as fk
from flytekit import PodTemplate, Resources, dynamic, task, workflow
from flytekit.extras import accelerators
from flytekit.extras.accelerators import (
    A100,
    A100_80GB,
    A10G,
    L4,
    L40S,
    T4,
    V5E,
    GPUAccelerator,
    MultiInstanceGPUAccelerator,
)
from kubernetes.client import V1Container, V1PodSpec, V1ResourceRequirements

GPUS = "4"
SIZE = "16"
big = Resources(gpu=GPUS, mem=f"{SIZE}Gi")
gpu_task = functools.partial(task, requests=Resources(gpu="1"))
l4_task = functools.partial(gpu_task, accelerator=L4)
common = {"requests": Resources(gpu="1"), "interruptible": True}


class H100(MultiInstanceGPUAccelerator):
    device = "nvidia-h100-80gb"


@task(requests=Resources(gpu="1"))
def plain() -> None: ...


@task(limits=Resources(gpu="1", cpu="2"))
def limits_only() -> None: ...


@task(
    requests=Resources(gpu="1", mem="4Gi"),
    limits=Resources(gpu="1", mem="8Gi"),
    accelerator=A100.partition_2g_10gb,
)
def partition() -> None: ...


@task(requests=Resources(gpu="2"), accelerator=A100.unpartitioned, interruptible=True)
def unpartitioned() -> None: ...


@task(
    resources=Resources(cpu=("1", "2"), mem="1Gi", gpu="1"),
    accelerator=GPUAccelerator("nvidia-rtx-a6000"),
    shared_memory=True,
)
def pairs() -> None: ...


@task(resources=Resources(gpu=("1", "2"), mem=["1Gi", "2Gi"]))
def gpu_pair() -> None: ...


@task(accelerator=T4)
def accelerator_alone() -> None: ...


@task(limits=Resources(gpu="1"), accelerator=H100.partitioned("1g.10gb"))
def own_class() -> None: ...


@task(limits=Resources(gpu="1"), accelerator=H100())
def own_object() -> None: ...


@task(requests=big)
def constant() -> None: ...


@task(requests=Resources("1", "2Gi", "3"))
def by_position() -> None: ...


@fk.task(requests=fk.Resources(gpu="1", ephemeral_storage="20Gi"), accelerator=accelerators.L40S)
def through_modules() -> None: ...


@gpu_task
def by_partial() -> None: ...


@l4_task(requests=Resources(gpu="2"))
def by_partial_of_partial() -> None: ...


@task(**common)
def unpacked() -> None: ...


@dynamic(requests=Resources(gpu="1"), accelerator=A10G)
def in_dynamic() -> None: ...


@task(requests=Resources(gpu="1"), accelerator=V5E.slice_2x2)
def tpu() -> None: ...


@task(requests=Resources(gpu="1", mem=f"{SIZE}Gi"))
def folded_memory() -> None: ...


@task(requests=Resources(gpu="1"), accelerator=A100.partitioned("3g.20gb"))
def partitioned_call() -> None: ...


@task(requests=Resources(cpu="1"))
def without_gpu() -> None: ...


@task(requests=Resources(gpu="0"))
def zero() -> None: ...


@task(requests=Resources(gpu="1"), pod_template_name="base")
def template_by_name() -> None: ...


template = PodTemplate(
    primary_container_name="main",
    pod_spec=V1PodSpec(
        containers=[
            V1Container(
                name="main", resources=V1ResourceRequirements(limits={"nvidia.com/gpu": "2"})
            )
        ]
    ),
)


@task(pod_template=template)
def template_alone() -> None: ...


@task(requests=Resources(gpu="1"))
def overridden() -> None: ...


@workflow
def work() -> None:
    overridden().with_overrides(
        requests=Resources(gpu="4"), limits=Resources(gpu="4"), accelerator=A100_80GB
    )
    overridden().with_overrides(accelerator=T4)
    overridden().with_overrides(requests=Resources(gpu="2"))
    overridden().with_overrides(limits=Resources(gpu="3", mem="3Gi"))
    overridden().with_overrides(
        requests=Resources(gpu="1"), accelerator=A100.partition_3g_20gb, node_name="x"
    )

GPUS_PER_NODE = "8"
NAME = "nvidia-" + "l4"
SMALL = Resources(cpu="2", mem="8Gi", gpu="1")
LARGE = SMALL_LIMITS = Resources(cpu="16", mem="64Gi", gpu=GPUS_PER_NODE)
options = dict(requests=SMALL)
defaults = {"requests": SMALL, "limits": LARGE}
spot_task = functools.partial(task, interruptible=True)
spot_gpu_task = functools.partial(spot_task, requests=SMALL, accelerator=accelerators.T4)


class B200(MultiInstanceGPUAccelerator):
    device = "nvidia-b200"


class Sizes:
    GPU = "6"
    SMALL = Resources(gpu="1", mem="1Gi")


def passed(function):
    return function


@task(requests=Resources(gpu="1"), accelerator=accelerators.K80)
def on_k80() -> None: ...


@task(requests=Resources(gpu="1"), accelerator=accelerators.M60)
def on_m60() -> None: ...


@task(requests=Resources(gpu="1"), accelerator=accelerators.P4)
def on_p4() -> None: ...


@task(requests=Resources(gpu="1"), accelerator=accelerators.P100)
def on_p100() -> None: ...


@task(requests=Resources(gpu="1"), accelerator=accelerators.V100)
def on_v100() -> None: ...


@task(requests=Resources(gpu="1"), accelerator=accelerators.L4_VWS)
def on_l4_vws() -> None: ...


@task(requests=Resources(gpu="8"), accelerator=accelerators.H100)
def on_h100() -> None: ...


@task(requests=Resources(gpu="8"), accelerator=accelerators.H200)
def on_h200() -> None: ...


@task(requests=Resources(gpu="1"), accelerator=accelerators.RTX_PRO_6000)
def on_rtx_pro_6000() -> None: ...


@task(requests=Resources(gpu="1"), accelerator=A100.partition_1g_5gb)
def one_fifth() -> None: ...


@task(requests=Resources(gpu="1"), accelerator=A100.partition_7g_40gb)
def seven() -> None: ...


@task(requests=Resources(gpu="1"), accelerator=A100_80GB.partition_1g_10gb)
def large_slice() -> None: ...


@task(requests=Resources(gpu="1"), accelerator=A100_80GB.unpartitioned)
def large_whole() -> None: ...


@task(requests=Resources(gpu="1"), accelerator=accelerators.V5P.slice_2x2x2)
def tpu_v5p() -> None: ...


@task(requests=Resources(gpu="1"), accelerator=accelerators.V6E)
def tpu_v6e() -> None: ...


@task(requests=Resources(gpu="1"), accelerator=B200().unpartitioned)
def own_whole() -> None: ...


@task(requests=Resources(gpu="1"), accelerator=GPUAccelerator(device="nvidia-gb200"))
def by_keyword() -> None: ...


@task(requests=Resources(gpu="1"), accelerator=GPUAccelerator(NAME))
def folded_name() -> None: ...


@task(requests=SMALL, limits=LARGE)
def both_constants() -> None: ...


@task(limits=SMALL_LIMITS)
def second_target() -> None: ...


@task(requests=Resources(gpu=Sizes.GPU))
def of_class() -> None: ...


@task(requests=Sizes.SMALL)
def resources_of_class() -> None: ...


@task(**defaults, accelerator=T4)
def unpacked_both() -> None: ...


@task(**options)
def unpacked_call() -> None: ...


@spot_task(limits=Resources(gpu="1"))
def spot() -> None: ...


@spot_gpu_task
def spot_gpu() -> None: ...


@spot_gpu_task(interruptible=False, accelerator=L4)
def not_spot() -> None: ...


@passed
@task(requests=Resources(gpu="1"))
def below_another() -> None: ...


@task(requests=Resources(gpu="1"), accelerator=None)
def no_accelerator() -> None: ...


@task(requests=Resources(cpu="500m", mem="1Gi", gpu="1"), limits=Resources(cpu="1", mem="2Gi"))
def limits_without_gpu() -> None: ...


@task(resources=Resources(cpu="2", gpu="1"))
def resources_single() -> None: ...


@task(resources=Resources(cpu=["1", "2"], gpu="1"), interruptible=False)
def list_pair() -> None: ...


@task(
    requests=Resources(
        gpu="1",  # one
        mem="1" "6Gi",
    ),
    retries=3,
    cache=False,
)
def over_lines() -> None: ...


@task(requests=Resources(gpu=r"2"), accelerator=(A100))
def in_brackets() -> None: ...


@dynamic(limits=Resources(gpu="2", mem="4Gi"))
def dynamic_limits() -> None: ...


@fk.dynamic(requests=SMALL, accelerator=A100.unpartitioned)
def dynamic_whole() -> None: ...


two_containers = PodTemplate(
    pod_spec=V1PodSpec(
        node_selector={"pool": "gpu"},
        containers=[
            V1Container(
                name="primary",
                resources=V1ResourceRequirements(
                    requests={"nvidia.com/gpu": "1", "cpu": "2"}, limits={"nvidia.com/gpu": "1"}
                ),
            ),
        ],
    )
)


@task(pod_template=two_containers)
def template_requests() -> None: ...


@task(pod_template=two_containers, accelerator=A100)
def template_accelerator() -> None: ...


class Amounts:
    BIG = "4"


class MoreAmounts(Amounts):
    SMALL = f"{GPUS}"


@dataclasses.dataclass(frozen=True)
class Limits:
    gpus: str = "2"


class DerivedH100(H100):
    """The same device."""


if GPUS == "4":
    ONLY_HERE = "3"
(LEFT, RIGHT) = ("5", "6")


@task(requests=Resources(gpu=Amounts.BIG))
def class_constant() -> None: ...


@task(requests=Resources(gpu=MoreAmounts.SMALL))
def derived_constant() -> None: ...


@task(requests=Resources(gpu=Limits.gpus))
def dataclass_constant() -> None: ...


@task(requests=Resources(gpu="1"), accelerator=DerivedH100.partitioned("2g.20gb"))
def derived_class() -> None: ...


@task(requests=Resources(gpu=ONLY_HERE))
def conditional_alone() -> None: ...


@task(requests=Resources(gpu=RIGHT), limits=Resources(gpu=RIGHT, cpu=""))
def of_a_tuple() -> None: ...


@task(pod_template_name="gpu-base", pod_template=two_containers)
def template_and_name() -> None: ...


if __name__ == "__main__":
    print(work())
