from flytekit import Resources, task
from flytekit.extras.accelerators import H200


@task(requests=Resources(gpu="1"), accelerator=H200)
def before(): ...
