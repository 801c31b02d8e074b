from flytekit import Resources, task
from flytekit.extras.accelerators import A100, L4


@task(requests=Resources(gpu="1"), accelerator=L4)
def train(): ...
