from flytekit import Resources, task


@task(requests=Resources(gpu="1"), limits=Resources(gpu="1"))
def train() -> None: ...
