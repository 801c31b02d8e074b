from flytekit import PodTemplate, Resources, task, workflow


@task(pod_template=PodTemplate(labels={"team": "ml"}), requests=Resources(gpu="2"), limits=Resources(gpu="2"))
def train(): ...


@workflow
def work():
    train().with_overrides(requests=Resources(gpu="4"))
