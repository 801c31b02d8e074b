from flytekit import Resources, task


@task(requests=Resources(gpus="1"))
def train() -> None: ...
