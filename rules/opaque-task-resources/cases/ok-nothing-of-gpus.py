from flytekit import task
from settings import resources


@task(requests=resources)
def prepare(): ...
