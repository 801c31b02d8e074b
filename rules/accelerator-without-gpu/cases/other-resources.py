from flytekit import Resources, dynamic
from flytekit.extras.accelerators import A100


@dynamic(requests=Resources(cpu="4", gpu="0"), limits=Resources(mem="8Gi"), accelerator=A100.partition_2g_10gb)
def plan(): ...
