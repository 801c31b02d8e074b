import flyte
from flytekit import Resources, task, workflow
from flytekit.extras.accelerators import H100

env = flyte.TaskEnvironment(name="gpu", resources=flyte.Resources(gpu=1))


@task(requests=Resources(gpu="1"))
def before(): ...


@workflow
def work():
    before().with_overrides(accelerator=H100)


@env.task
def after(): ...


large = after.override(resources=flyte.Resources(gpu="H100:2"))
