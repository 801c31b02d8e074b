import flyte
from flyte.app import AppEnvironment

app = AppEnvironment(name="llm", resources=flyte.Resources(gpu="L4:1"))
env = flyte.TaskEnvironment(name="driver", resources=flyte.Resources(cpu=2), depends_on=[app])


@env.task
def main(): ...
