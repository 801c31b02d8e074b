from flytekit import Resources, task


@task(requests=Resources(gpu="1"), limits=Resources(gpu="1"), pod_template_name="gpu-base")
def train() -> None: ...
