from flytekit import Resources, task
from mine import accelerator_of


@task(requests=Resources(gpu="1"), accelerator=accelerator_of("train"))
def train(): ...
