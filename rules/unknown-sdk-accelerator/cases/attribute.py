from flytekit import Resources, task
from flytekit.extras.accelerators import A100, A100_80GB, T4


@task(requests=Resources(gpu="1"), accelerator=A100.partition_9g_9gb)
def one(): ...


@task(requests=Resources(gpu="1"), accelerator=A100_80GB.partition_2g_10gb)
def two(): ...


@task(requests=Resources(gpu="1"), accelerator=T4.partition_1g_5gb)
def three(): ...
