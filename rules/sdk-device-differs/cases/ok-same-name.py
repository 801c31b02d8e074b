import flyte
from flytekit import Resources, task
from flytekit.extras.accelerators import A100_80GB, L40S

env = flyte.TaskEnvironment(name="gpu", resources=flyte.Resources(gpu="L40s:1"))
large = flyte.TaskEnvironment(name="large", resources=flyte.Resources(gpu="A100_80G:1"))


@task(requests=Resources(gpu="1"), accelerator=L40S)
def before(): ...


@task(requests=Resources(gpu="1"), accelerator=A100_80GB)
def before_large(): ...


@env.task
def after(): ...


@large.task
def after_large(): ...
