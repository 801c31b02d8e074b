from flytekit import task
from flytekit.extras.accelerators import T4


@task(accelerator=T4)
def train(): ...
