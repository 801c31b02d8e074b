from flytekit import task
from flytekit.extras.accelerators import GPUAccelerator, MultiInstanceGPUAccelerator


class H100(MultiInstanceGPUAccelerator):
    device = "nvidia-h100-80gb"


@task(accelerator=H100.partitioned("1g.10gb"))
def own(): ...


@task(accelerator=GPUAccelerator("nvidia-rtx-a6000"))
def named(): ...
