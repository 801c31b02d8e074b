import flytekit as fk

GPUS = 2


@fk.task(resources=fk.Resources(gpu=(1, "2")))
def pair(): ...


@fk.task(requests=fk.Resources(gpu=GPUS))
def constant(): ...
