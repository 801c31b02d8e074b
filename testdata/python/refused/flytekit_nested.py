from flytekit import Resources, task


def make():
    @task(requests=Resources(gpu="1"))
    def train() -> None: ...

    return train


train = make()
