from flytekit import Resources, task
from flytekit.extras.accelerators import T4
from flytekitplugins.kfpytorch import PyTorch, Worker


@task(accelerator=T4)
def train(): ...


@task(task_config=PyTorch(worker=Worker(replicas=2, requests=Resources(gpu="1"))), accelerator=T4)
def asked_by_role(): ...
