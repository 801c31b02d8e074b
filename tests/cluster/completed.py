"""What a case leaves out, for brevity, and an API server demands: the object as somebody would apply it."""
import copy

WITH_SELECTOR = ("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet")
CLUSTER_WIDE = ("Node", "DeviceClass")


def complete_pod(spec, may_restart=True):
    if not isinstance(spec, dict):
        return
    for key in ("containers", "initContainers"):
        containers = spec.get(key) if isinstance(spec.get(key), list) else []
        for number, container in enumerate(containers):
            if isinstance(container, dict):
                container.setdefault("image", "a/b:1")
                container.setdefault("name", f"{key[0]}{number}")
    spec.setdefault("containers", [{"name": "main", "image": "a/b:1"}])
    if not may_restart:
        spec.setdefault("restartPolicy", "Never")


def complete_template(holder, may_restart=True):
    """The labels of the template."""
    template = holder.setdefault("template", {})
    if not isinstance(template, dict):
        return {"a": "b"}
    complete_pod(template.setdefault("spec", {}), may_restart)
    metadata = template.setdefault("metadata", {})
    if not isinstance(metadata, dict):
        return {"a": "b"}
    return metadata.setdefault("labels", {"a": "b"})


def complete_workload(value):
    kind, spec = value["kind"], value.setdefault("spec", {})
    if not isinstance(spec, dict):
        return
    if kind == "Pod":
        complete_pod(spec)
    elif kind in WITH_SELECTOR:
        spec.setdefault("selector", {"matchLabels": complete_template(spec)})
    elif kind == "ReplicationController":
        spec.setdefault("selector", complete_template(spec))
    elif kind == "Job":
        complete_template(spec, may_restart=False)
    elif kind == "CronJob":
        spec.setdefault("schedule", "0 0 * * *")
        job = spec.setdefault("jobTemplate", {}).setdefault("spec", {})
        if isinstance(job, dict):
            complete_template(job, may_restart=False)


def completed(value):
    value = copy.deepcopy(value)
    if value.get("apiVersion") in ("extensions/v1beta1", "apps/v1beta1", "apps/v1beta2") and value["kind"] in WITH_SELECTOR:
        return value  # no longer served, whatever it holds
    metadata = value["metadata"]
    metadata.pop("namespace", None)
    metadata.setdefault("name", metadata.pop("generateName", "x").rstrip("-"))
    if value["kind"] == "PodTemplate" and value.get("apiVersion") == "v1":
        complete_template(value)
    elif value.get("apiVersion") in ("v1", "apps/v1", "batch/v1") and value["kind"] not in ("Node", "ResourceQuota"):
        complete_workload(value)
    return value
