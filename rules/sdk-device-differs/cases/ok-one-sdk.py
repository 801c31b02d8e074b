from flytekit import Resources, task
from flytekit.extras.accelerators import H100


@task(requests=Resources(gpu="1"), accelerator=H100)
def before(): ...
