from flytekit import Resources, task


@task(requests=Resources(gpus="1", memory="4Gi"))
def one(): ...


@task(request=Resources(gpu="1"))
def two(): ...


@task(gpu="1")
def three(): ...
