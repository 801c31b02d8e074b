"""Tasks as flytekit's users write them; what flytekit makes of them is recorded beside this file."""
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
