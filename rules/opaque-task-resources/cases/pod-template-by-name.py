# The object stands in the cluster alone.
from flytekit import Resources, task


@task(requests=Resources(gpu="1"), pod_template_name="gpu-base")
def train() -> None: ...


@task(pod_template_name="gpu-base")
def embed() -> None: ...
