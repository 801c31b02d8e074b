from flytekit import Resources, task
from flytekit.extras.accelerators import T4
from kubernetes.client import V1Container, V1PodSpec, V1ResourceRequirements
from flytekit import PodTemplate

from settings import declare

declare("embed", accelerator=T4)
declare("train", requests=Resources(mem="8Gi", gpu="2"))
template = PodTemplate(
    pod_spec=V1PodSpec(
        containers=[V1Container(name="primary", resources=V1ResourceRequirements(limits={"nvidia.com/gpu": "1"}))]
    )
)


@task(requests=Resources(gpu="1"))
def read_by_gpulint(): ...
