from flytekit import Resources, task, workflow
from flytekit.extras.accelerators import A100, T4

BIG = Resources(gpu="8", mem="64Gi")


# gpulint: ignore[device-value-mismatch] the nodes for it are ordered
@task(
    requests=Resources(gpu="1"),
    accelerator=A100.partition_2g_10gb,
)
def slice_of_one() -> None: ...


@task(requests=Resources(gpu="1"), accelerator=T4)
def on_t4() -> None: ...


@task(requests=BIG, accelerator=T4)
def too_big() -> None: ...


@task(requests=Resources(cpu="1"))
def without() -> None: ...


@workflow
def work() -> None:
    on_t4().with_overrides(requests=Resources(gpu="2"), limits=Resources(gpu="2"))
