from lightning import Trainer
from ray import remote
from ray.util import Resources as RayResources

import flyte
from flyte.app import AppEnvironment

env = flyte.TaskEnvironment(name="a", resources=flyte.Resources(gpu="T4:1"))
small = env.clone_with(name="b", resources=flyte.Resources(cpu=1, memory="4Gi"))
wanted = RayResources(gpus=1)


@remote(num_gpus=1)
def helper(): ...


@env.task
def train():
    Trainer(accelerator="gpu", gpus=1)


@small.task
def report(): ...
