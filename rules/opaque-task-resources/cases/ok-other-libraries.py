import modal
from flytekit import Resources, task
from lightning import Trainer

trainer = Trainer(accelerator="gpu", devices=4)
app = modal.App()
none = Resources(gpu="0")
small = Resources(cpu="4", gpu=None)


@app.function(gpu="A100")
def serve(): ...


@task(requests=small)
def prepare(): ...
