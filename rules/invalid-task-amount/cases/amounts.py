from flytekit import Resources, task, workflow


@task(requests=Resources(gpu="0.5"))
def half(): ...


@task(requests=Resources(gpu="-1"))
def negative(): ...


@task(requests=Resources(gpu="one"))
def word(): ...


@task(requests=Resources(gpu="1"), limits=Resources(gpu="2"))
def unequal(): ...


@task(requests=Resources(gpu="1"))
def whole(): ...


@workflow
def work():
    whole().with_overrides(requests=Resources(gpu="1500m"), limits=Resources(gpu="1500m"))
