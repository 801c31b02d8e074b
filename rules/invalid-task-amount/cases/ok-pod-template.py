from flytekit import PodTemplate, task
from kubernetes.client import V1Container, V1PodSpec, V1ResourceRequirements

template = PodTemplate(
    pod_spec=V1PodSpec(
        containers=[
            V1Container(
                name="primary",
                resources=V1ResourceRequirements(
                    limits={"nvidia.com/gpu": "2"}, requests={"nvidia.com/gpu": "2"}
                ),
            )
        ]
    )
)


@task(pod_template=template)
def train(): ...
