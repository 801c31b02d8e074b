from flytekit import Resources, task


@task(requests=Resources(cpu="4", gpu=1), limits=Resources(gpu="1"))
def train(): ...
