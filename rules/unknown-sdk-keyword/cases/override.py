import flyte
from flytekit import Resources, task, workflow

env = flyte.TaskEnvironment(name="training", resources=flyte.Resources(gpu="A100:1"))


@task(requests=Resources(gpu="1"), limits=Resources(gpu="1"))
def train(): ...


@env.task
def tune(): ...


@workflow
def work():
    train().with_overrides(request=Resources(gpu="2"))
    train().with_overrides(gpus="2")
    train().with_overrides(node_name="third")


large = tune.override(limits=flyte.Resources(gpu="A100:2"))
