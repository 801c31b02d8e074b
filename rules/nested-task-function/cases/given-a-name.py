import union
from flytekit import Resources

actor = union.ActorEnvironment(name="a", requests=Resources(gpu="1"))


def make_task():
    @actor.task
    def train(): ...

    return train
