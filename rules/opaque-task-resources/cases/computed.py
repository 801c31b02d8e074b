from flytekit import Resources, task


def pick(gpu):
    if gpu == "1":
        return Resources(gpu="4")
    return Resources(gpu=gpu)


@task(requests=pick("1"))
def train(): ...
