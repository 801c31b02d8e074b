from flytekit import Resources, task


@task(requests=Resources(gpu="1", memory="4Gi"))
def train() -> None: ...
