from flytekit import Resources, task
from flytekit.extras.accelerators import T4


@task(requests=Resources(gpu="1"), accelerator=T4)
def on_t4() -> None: ...
