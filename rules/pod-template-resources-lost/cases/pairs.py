from flytekit import PodTemplate, Resources, task
from kubernetes.client import V1Container, V1PodSpec, V1ResourceRequirements

TEMPLATE = PodTemplate(
    primary_container_name="main",
    pod_spec=V1PodSpec(
        containers=[
            V1Container(name="main", resources=V1ResourceRequirements(limits={"nvidia.com/mig-1g.5gb": "1"})),
            V1Container(name="log", resources=V1ResourceRequirements(limits={"cpu": "1"})),
        ]
    ),
)


@task(pod_template=TEMPLATE, resources=Resources(cpu=("1", "2")))
def train(): ...
