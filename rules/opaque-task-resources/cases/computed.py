from flytekit import Resources, task


def pick(gpu):
    return Resources(gpu=gpu)


@task(requests=pick("1"))
def train(): ...
