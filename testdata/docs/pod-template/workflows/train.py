from flytekit import task


@task(pod_template_name="gpu-base")
def train() -> None: ...
