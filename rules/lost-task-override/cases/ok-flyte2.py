import flyte

env = flyte.TaskEnvironment(name="a", resources=flyte.Resources(gpu="T4:1"))


@env.task
def train(): ...


@env.task
def main():
    train.override(resources=flyte.Resources(gpu="T4:2"))()
