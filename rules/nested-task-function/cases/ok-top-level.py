from flytekit import Resources, task


def resources():
    return Resources(gpu="1")


@task(requests=resources())
def train():
    def inner(): ...

    return inner()
