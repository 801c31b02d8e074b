from flytekit import Resources, task
from flytekit.extras.accelerators import A100, A100_80GB, MultiInstanceGPUAccelerator, V5E


class H100(MultiInstanceGPUAccelerator):
    device = "nvidia-h100-80gb"


@task(requests=Resources(gpu="1"), accelerator=A100.partition_2g_10gb)
def one(): ...


@task(requests=Resources(gpu="1"), accelerator=A100_80GB.unpartitioned)
def two(): ...


@task(requests=Resources(gpu="1"), accelerator=H100.partitioned("1g.10gb"))
def three(): ...


@task(accelerator=V5E.slice_2x2)
def four(): ...
