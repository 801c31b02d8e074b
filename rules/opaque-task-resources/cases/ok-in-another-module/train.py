from flytekit import task

from settings import COMMON


@task(**COMMON)
def train(): ...
