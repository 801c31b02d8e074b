import flyte
import flytekit as fk
from flytekit.extras import accelerators

env = flyte.TaskEnvironment(name="gpu", resources=flyte.Resources(gpu=flyte.GPU("H100", 8)))


@fk.task(requests=fk.Resources(gpu="8"), accelerator=accelerators.H100)
def before(): ...


@env.task
def after(): ...
