from flytekit import Resources, task


@task(request=Resources(gpu="1"))
def train() -> None: ...
