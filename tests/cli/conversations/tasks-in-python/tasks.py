from flytekit import Resources, task, workflow
from flytekit.extras.accelerators import A100, T4

BIG = Resources(gpu="8", mem="64Gi")


@task(
    requests=Resources(gpu="1"),
    accelerator=A100.partition_2g_10gb,
)
def slice_of_one() -> None: ...


@task(requests=Resources(gpu="1"), accelerator=T4)
def on_t4() -> None: ...


# gpulint: ignore[placement] the nodes for it are ordered
@task(requests=BIG, accelerator=T4)
def too_big() -> None: ...


@task(requests=Resources(cpu="1"))
def without() -> None: ...
