"""The objects of the rules' cases as an API server would get them, each with where it stands in its file."""
import copy
import math
import re

import yaml

# What a program fills in before anything reaches an API server.
PLACEHOLDER = re.compile(r"\{\{|\$\{|\$\(|\$[A-Z_]{2,}|^<[^>]*>$|\(\(|^__.*__$|@[A-Z_]+@")
KINDS = {"Pod", "Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job", "CronJob", "PodTemplate", "ReplicationController",
         "RayCluster", "RayJob", "RayService", "PyTorchJob", "TFJob", "MPIJob", "JobSet", "Node", "ResourceQuota", "ResourceClaim", "ResourceClaimTemplate", "DeviceClass"}


class Loader(yaml.SafeLoader):
    """Dates stay strings, as in JSON."""


Loader.yaml_implicit_resolvers = {key: [pair for pair in pairs if pair[0] != "tag:yaml.org,2002:timestamp"]
                                  for key, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()}


def has_placeholder(value):
    if isinstance(value, str):
        return bool(PLACEHOLDER.search(value))
    if isinstance(value, float):
        return not math.isfinite(value)
    if isinstance(value, dict):
        return any(has_placeholder(key) or has_placeholder(one) for key, one in value.items())
    return isinstance(value, list) and any(map(has_placeholder, value))


def without_nulls(value, key=None):
    """An API server drops them, but for amounts, which are 0."""
    if isinstance(value, dict):
        if key in ("limits", "requests"):
            return {name: "0" if one is None else one for name, one in value.items()}
        return {name: without_nulls(one, name) for name, one in value.items() if one is not None}
    return [without_nulls(one) for one in value if one is not None] if isinstance(value, list) else value


def complete(value):
    """What a case leaves out, for brevity, and the API server demands of its own kinds."""
    spec = value.get("spec")
    if value["kind"] == "CronJob":
        spec = (((spec or {}).get("jobTemplate") or {}).get("spec"))
    pod = spec if value["kind"] == "Pod" else ((spec or {}).get("template") or {}).get("spec")
    if isinstance(pod, dict) and value.get("apiVersion") in ("v1", "apps/v1", "batch/v1"):
        pod.setdefault("containers", [{"name": "main", "image": "a/b:1"}])


def object_nodes(node):
    """The mappings of a document that are objects: itself, or a List's items."""
    keys = {key.value: value for key, value in node.value} if isinstance(node, yaml.MappingNode) else {}
    items = keys.get("items")
    if str(getattr(keys.get("kind"), "value", "")).endswith("List") and isinstance(items, yaml.SequenceNode):
        for item in items.value:
            yield from object_nodes(item)
    elif "kind" in keys:
        yield node


def read_objects(path):
    """[(first line, last line, object)] of the kinds that policies are asked about; [] of what is no YAML."""
    found = []
    try:
        text = path.read_text()
        for document in yaml.compose_all(text, Loader):
            for node in object_nodes(document):
                value = Loader("").construct_document(copy.deepcopy(node))
                if value.get("kind") in KINDS and not has_placeholder(value):
                    value = without_nulls(value)
                    value.setdefault("metadata", {})
                    complete(value)
                    # The last line holds nothing where the next one has begun.
                    last = node.end_mark.line + (1 if node.end_mark.column else 0)
                    found.append((node.start_mark.line + 1, max(last, node.start_mark.line + 1), value))
    except (yaml.YAMLError, ValueError, TypeError, AttributeError, UnicodeDecodeError):
        return []
    return found
