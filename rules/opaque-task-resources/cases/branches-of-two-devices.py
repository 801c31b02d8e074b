import os

import flyte

env = flyte.TaskEnvironment(
    name="a", resources=flyte.Resources(gpu="T4:1" if os.environ.get("SMALL") else "A100:8")
)


@env.task
def train(): ...
