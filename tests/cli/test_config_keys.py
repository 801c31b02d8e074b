"""Every key that the schema of gpulint.yaml accepts is read: with another value of it something else is said, at the top
level and in a scope alike."""
import copy
import json
import re

from support import Case

NODES = """\
apiVersion: v1
kind: Node
metadata: {name: a, labels: {nvidia.com/gpu.product: NVIDIA-A100-SXM4-40GB}}
status: {allocatable: {nvidia.com/gpu: "8", cpu: "8", memory: 64Gi, pods: "110"}}
"""
POD = """\
apiVersion: v1
kind: Pod
metadata: {name: train, labels: {app: train}}
spec:
  containers:
  - name: c
    image: x
    resources: {limits: {nvidia.com/gpu: 1}}
"""
DRIVER = POD.replace("image: x", 'image: x\n    env: [{name: NVIDIA_DRIVER_CAPABILITIES, value: "compute,cuda"}]')
INGRESS = "apiVersion: extensions/v1beta1\nkind: Ingress\nmetadata: {name: old}\n"
JOB = "apiVersion: batch/v1beta1\nkind: CronJob\nmetadata: {name: old}\nspec: {}\n"
VALUES = "configmap: {k8s: {plugins: {k8s: {default-cpus: 100m}}}}\n"
TEMPLATE = """\
apiVersion: v1
kind: PodTemplate
metadata: {name: base}
template: {spec: {tolerations: [{key: a, operator: Exists}], containers: [{name: default, image: noop}]}}
"""
SPOT = """\
configmap:
  k8s:
    plugins:
      k8s: {interruptible-node-selector: {spot: 'true'}, add-tolerations-for-extended-resources: [nvidia.com/gpu]}
"""
LAYER = "configmap: {k8s: {plugins: {k8s: {gpu-device-node-label: from.layer/gpu}}}}\n"
BINARY = "configuration: {inline: {plugins: {k8s: {default-cpus: 100m}}}}\n"
EITHER_CHART = "configuration: {inline: {plugins: {k8s: {default-cpus: 100m}}}}\nconfigmap: {k8s: {plugins: {k8s: {}}}}\n"

SET = """\
apiVersion: example.com/v1
kind: TrainingSet
metadata: {name: set}
spec: {replicas: 4, base: basee, worker: {replicas: 2, resources: {limits: {nvidia.com/gpu: 8}}}}
"""

POOL = {"name": "p", "labels": {"a": "b"}, "allocatable": {"nvidia.com/gpu": 1},
        "taints": [{"key": "k", "value": "v", "effect": "NoSchedule"}]}
TASK = {"name": "t", "gpu": "1", "accelerator": {"device": "nvidia-tesla-a100"}}
PLAIN_TASK = {"name": "t", "requests": {"gpu": "1"}}
POLICY = {"id": "own", "message": "say so", "match": {"kind": "Pod"},
          "require": {"path": "metadata.labels.team", "pattern": "[a-z]+"}}
FORBID = {"id": "own", "message": "say so", "match": {"kind": "Pod"},
          "forbid": {"path": "metadata.labels.app", "pattern": "train"}}


def changed(base, path, value):
    """The mapping with another value below keys; None takes the key away."""
    result = copy.deepcopy(base)
    at = result
    for key in path[:-1]:
        at = at[key]
    if value is None:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return result


def of_list(name, base, *path, value):
    return {name: [base]}, {name: [changed(base, path, value)]}


def pool(*path, value):
    return of_list("nodePools", POOL, *path, value=value)


def kind(*path, value, **base):
    return of_list("kinds", {**KIND, **base}, *path, value=value)


def task(*path, value, base=TASK):
    return of_list("tasks", base, *path, value=value)


def policy(*path, value, base=POLICY):
    return of_list("policies", base, *path, value=value)


KIND = {"kind": "example.com/TrainingSet", "pods": [{"path": "spec.worker"}], "count": "spec.replicas", "traits": ["gang"]}
REFERENCE = {"path": "spec.base", "to": ["PodTemplate"], "missing": "the set waits"}
BARE = {"name": "t", "gpu": "1"}
NAMED_TASK = {"name": "t", "requests": {"nvidia.com/gpu": "1"}}
# A configuration, and the same with another value of the key.
KEYS = {
    "flyte.version": ({"flyte": {"version": 1, "values": ["binary.yaml"]}, "tasks": [TASK]},
                      {"flyte": {"version": 2, "values": ["binary.yaml"]}, "tasks": [TASK]}),
    "flyte.chart": ({"flyte": {"chart": "flyte-core", "values": ["either.yaml"]}, "tasks": [TASK]},
                    {"flyte": {"chart": "flyte-binary", "values": ["either.yaml"]}, "tasks": [TASK]}),
    "flyte.values": ({"flyte": {"values": ["values.yaml"]}, "tasks": [TASK]},
                     {"flyte": {"values": ["values.yaml", "layer.yaml"]}, "tasks": [TASK]}),
    "provider": ({"provider": "gke", "tasks": [TASK]}, {"provider": "eks", "tasks": [TASK]}),
    "preview": ({"preview": False}, {"preview": True}),
    "nodes": ({"workloads": ["pod.yaml"]}, {"workloads": ["pod.yaml"], "nodes": ["nodes.yaml"]}),
    "workloads": ({"nodes": ["nodes.yaml"]}, {"nodes": ["nodes.yaml"], "workloads": ["pod.yaml"]}),
    "cluster.admissionPlugins": ({"nodePools": [changed(POOL, ["taints"], ["nvidia.com/gpu=x:NoSchedule"])],
                                  "workloads": ["pod.yaml"], "cluster": {"admissionPlugins": []}},
                                 {"nodePools": [changed(POOL, ["taints"], ["nvidia.com/gpu=x:NoSchedule"])],
                                  "workloads": ["pod.yaml"],
                                  "cluster": {"admissionPlugins": ["ExtendedResourceToleration"]}}),
    "cluster.kubernetes": ({"rules": {"all-objects": True}, "cluster": {"kubernetes": "1.20"}},
                           {"rules": {"all-objects": True}, "cluster": {"kubernetes": "1.31"}}),
    "cluster.migStrategy": ({"nodes": ["nodes.yaml"], "workloads": ["mig.yaml"], "cluster": {"migStrategy": "mixed"}},
                            {"nodes": ["nodes.yaml"], "workloads": ["mig.yaml"], "cluster": {"migStrategy": "single"}}),
    "cluster.runtimeClass": ({"workloads": ["pod.yaml"]},
                             {"workloads": ["pod.yaml"], "cluster": {"runtimeClass": "nvidia"}}),
    "exclude": ({}, {"exclude": ["broken.yaml"]}),
    "join": ({"join": "auto"}, {"join": "none"}),
    "per-file-ignores": ({}, {"per-file-ignores": {"broken.yaml": ["gpu-limit-missing"]}}),
    "rules.all-objects": ({}, {"rules": {"all-objects": True}}),
    "rules.ignore": ({}, {"rules": {"ignore": ["gpu-limit-missing"]}}),
    "rules.select": ({}, {"rules": {"select": ["duplicate-key"]}}),
    "rules.severity": ({}, {"rules": {"severity": {"gpu-limit-missing": "info"}}}),
    "nodePools.name": pool("name", value="q"),
    "nodePools.labels": pool("labels", value={"a": "c"}),
    "nodePools.allocatable": pool("allocatable", value={"nvidia.com/gpu": 2}),
    "nodePools.machineType": pool("machineType", value="p4d.24xlarge"),
    "nodePools.unschedulable": pool("unschedulable", value=True),
    "nodePools.taints.key": pool("taints", value=[{"key": "x", "value": "v", "effect": "NoSchedule"}]),
    "nodePools.taints.value": pool("taints", value=[{"key": "k", "value": "x", "effect": "NoSchedule"}]),
    "nodePools.taints.effect": pool("taints", value=[{"key": "k", "value": "v", "effect": "NoExecute"}]),
    "kinds.kind": kind("kind", value="example.com/OtherSet"),
    "kinds.pods.path": kind("pods", value=[{"path": "spec.none"}]),
    "kinds.pods.containers": kind("pods", value=[{"path": "spec.worker", "containers": ["none"]}]),
    "kinds.count": kind("count", value="pod.replicas"),
    "kinds.traits": kind("traits", value=["lone"]),
    "kinds.references.path": kind("references", value=[{**REFERENCE, "path": "spec.replicas"}], references=[REFERENCE]),
    "kinds.references.to": kind("references", value=[{**REFERENCE, "to": ["DeviceClass"]}], references=[REFERENCE]),
    "kinds.references.missing": kind("references", value=[{**REFERENCE, "missing": "it fails"}], references=[REFERENCE]),
    "policies.id": policy("id", value="other"),
    "policies.message": policy("message", value="other"),
    "policies.severity": policy("severity", value="info"),
    "policies.match.kind": policy("match", "kind", value="Job"),
    "policies.match.name": policy("match", "name", value="other"),
    "policies.match.labels": policy("match", "labels", value={"app": "other"}),
    "policies.match.requestsGpu": policy("match", "requestsGpu", value=False),
    "policies.require.path": policy("require", "path", value="metadata.labels.app"),
    "policies.require.pattern": policy("require", value={"path": "metadata.labels.app", "pattern": "train"}),
    "policies.require.values": (
        {"policies": [changed(POLICY, ["require"], {"path": "metadata.labels.app", "values": ["train"]})]},
        {"policies": [changed(POLICY, ["require"], {"path": "metadata.labels.app", "values": ["other"]})]}),
    "policies.forbid.path": policy("forbid", "path", value="metadata.labels.team", base=FORBID),
    "policies.forbid.pattern": policy("forbid", "pattern", value="other", base=FORBID),
    "policies.forbid.values": policy("forbid", value={"path": "metadata.labels.app", "values": ["other"]}, base=FORBID),
    "tasks.name": task("name", value="u"),
    "tasks.gpu": task("gpu", value="2"),
    "tasks.cpu": task("cpu", value="3"),
    "tasks.memory": task("memory", value="3Gi"),
    "tasks.ephemeral-storage": task("ephemeral-storage", value="3Gi"),
    "tasks.requests": task("requests", value={"gpu": "2"}, base=PLAIN_TASK),
    "tasks.limits": task("limits", value={"gpu": "1", "memory": "9Gi"}, base=PLAIN_TASK),
    "tasks.accelerator": task("accelerator", value="T4"),
    "tasks.accelerator.device": task("accelerator", "device", value="nvidia-tesla-t4"),
    "tasks.accelerator.partitionSize": task("accelerator", "partitionSize", value="1g.5gb"),
    "tasks.accelerator.unpartitioned": task("accelerator", "unpartitioned", value=True),
    "tasks.accelerator.deviceClass": task("accelerator", "deviceClass", value="AMD_GPU"),
    "tasks.device": task("device", value="nvidia-tesla-t4", base=BARE),
    "tasks.partition": (
        {"tasks": [changed(BARE, ["device"], "nvidia-tesla-a100")]},
        {"tasks": [changed(changed(BARE, ["device"], "nvidia-tesla-a100"), ["partition"], "1g.5gb")]}),
    "tasks.partitionSize": (
        {"tasks": [changed(BARE, ["device"], "nvidia-tesla-a100")]},
        {"tasks": [changed(changed(BARE, ["device"], "nvidia-tesla-a100"), ["partitionSize"], "1g.5gb")]}),
    "tasks.unpartitioned": (
        {"tasks": [changed(BARE, ["device"], "nvidia-tesla-a100")]},
        {"tasks": [changed(changed(BARE, ["device"], "nvidia-tesla-a100"), ["unpartitioned"], True)]}),
    "tasks.deviceClass": (
        {"tasks": [changed(BARE, ["device"], "nvidia-tesla-a100")]},
        {"tasks": [changed(changed(BARE, ["device"], "nvidia-tesla-a100"), ["deviceClass"], "AMD_GPU")]}),
    "tasks.interruptible": (
        {"flyte": {"values": ["spot.yaml"]}, "tasks": [BARE]},
        {"flyte": {"values": ["spot.yaml"]}, "tasks": [changed(BARE, ["interruptible"], True)]}),
    "tasks.plugin": (
        {"flyte": {"values": ["spot.yaml"]}, "tasks": [changed(PLAIN_TASK, ["plugin"], "container")]},
        {"flyte": {"values": ["spot.yaml"]}, "tasks": [changed(PLAIN_TASK, ["plugin"], "ray")]}),
    "tasks.target": (
        {"flyte": {"values": ["spot.yaml"]}, "tasks": [NAMED_TASK]},
        {"flyte": {"values": ["spot.yaml"]}, "tasks": [changed(NAMED_TASK, ["target"], "k8s_pod")]}),
    "tasks.podSpec": task("podSpec", value={"nodeSelector": {"a": "b"}}),
    "tasks.podTemplateName": (
        {"flyte": {"values": ["spot.yaml"]}, "workloads": ["template.yaml"], "tasks": [BARE]},
        {"flyte": {"values": ["spot.yaml"]}, "workloads": ["template.yaml"], "tasks": [changed(BARE, ["podTemplateName"], "base")]}),
    "tasks.overrides": task("overrides", value={"requests": {"gpu": "2"}}),
}
# What scopes alone have, or only the top level: other tests are about these.
OF_SCOPES = {"name", "paths"}
OF_THE_TOP = {"join", "exclude"} | {key for key in KEYS if key.startswith("kinds.")}
# They count with `--render` alone: test_render_values.py.
OF_CHARTS = "render."
# Flyte 2 reads more of a task.
FLYTE_2 = {"tasks.accelerator.deviceClass", "tasks.deviceClass"}


def leaves(schema):
    """The keys of a schema that have none below them, list items without brackets."""
    found = set()

    def visit(part, path, above):
        if "$ref" in part:
            target = schema
            if part["$ref"] in above:
                return
            for word in part["$ref"][2:].split("/"):
                target = target[word]
            visit(target, path, above | {part["$ref"]})
        for key, value in part.get("properties", {}).items():
            found.add(path + key)
            visit(value, path + key + ".", above)
        visit_all = [part["items"]] if "items" in part else []
        for word in ("oneOf", "anyOf", "allOf"):
            visit_all += part.get(word, [])
        for each in visit_all:
            visit(each, path, above)

    visit(schema, "", frozenset())
    parents = {key.rsplit(".", 1)[0] for key in found if "." in key}
    return found - parents, found


class Keys(Case):
    def setUp(self):
        super().setUp()
        for name, text in (("nodes.yaml", NODES), ("pod.yaml", POD), ("old.yaml", INGRESS + "---\n" + JOB),
                           ("values.yaml", VALUES), ("layer.yaml", LAYER), ("spot.yaml", SPOT), ("either.yaml", EITHER_CHART), ("binary.yaml", BINARY),
                           ("template.yaml", TEMPLATE), ("broken.yaml", POD.replace("limits", "requests")),
                           ("set.yaml", SET), ("driver.yaml", DRIVER), ("mig.yaml", POD.replace("nvidia.com/gpu", "nvidia.com/mig-1g.5gb"))):
            self.write(name, text)

    def answer(self, config, command):
        self.write("gpulint.yaml", json.dumps(config))
        ran = self.run_gpulint(command, "--format", "json")
        # Where a key stands is not what it says.
        return ran.status, re.sub(r'"(start|end|line|column|offset|declaredAt)": ?("[^"]*"|\d+)', "", ran.out), ran.err

    def test_the_table_names_every_key_of_the_schema(self):
        last, all_keys = leaves(json.loads(self.run_gpulint("schema", "config").out))
        at_top = {key for key in last if not key.startswith(("scopes.", OF_CHARTS))}
        self.assertEqual(at_top - set(KEYS), set())
        self.assertEqual(set(KEYS) - all_keys, set())
        in_scopes = {key.removeprefix("scopes.") for key in last if key.startswith("scopes.")}
        self.assertEqual(in_scopes ^ at_top, OF_SCOPES | (OF_THE_TOP - in_scopes))

    def unread(self, keys, wrap):
        unread = []
        for key in keys:
            extra = {"flyte": {"version": 2, "values": ["binary.yaml"]}} if key in FLYTE_2 else {}
            before, after = (wrap(key, {**config, **extra}) for config in KEYS[key])
            if all(self.answer(before, command) == self.answer(after, command)
                   for command in ("check", "place", "compile", "nodes")):
                unread.append(key)
        return unread

    def test_every_key_changes_what_is_said(self):
        self.assertEqual(self.unread(KEYS, lambda key, config: config), [])

    def test_every_key_changes_what_is_said_in_a_scope(self):
        paths = {"nodes": ["pod.yaml"], "workloads": ["nodes.yaml"]}
        keys = [key for key in KEYS if key not in OF_THE_TOP]
        self.assertEqual(self.unread(keys, lambda key, config: {
            "scopes": [{"name": "s", "paths": paths.get(key, ["*.yaml"]), **config}]}), [])

    def test_kinds_that_mean_nothing_are_refused_at_their_place(self):
        for entry, told in (("{kind: Set}", ":2:10: a kind needs `kind: GROUP/KIND`, e.g. example.com/TrainingSet"),
                            ("{pods: []}", ":2:3: a kind needs `kind: GROUP/KIND`, e.g. example.com/TrainingSet"),
                            ("{kind: apps/Deployment}", ":2:10: gpulint already knows `apps/Deployment`; remove the entry"),
                            ("{kind: a.b/C, count: 'x['}", ":2:24: `x[` is not a path, e.g. spec.workers[].pod"),
                            ("{kind: a.b/C, pods: [{}]}", ":2:24: `kinds[0].pods[0]` needs a `path`"),
                            ("{kind: a.b/C, pods: [{path: a, containers: [b..c]}]}", ":2:46: `b..c` is not a path"),
                            ("{kind: a.b/C, references: [{path: a}]}", ":2:30: a reference needs `to`"),
                            ("{kind: a.b/C, traits: [gangs]}", ":2:25: `gangs` is not a trait: service, gang, one-run, lone")):
            self.write("gpulint.yaml", f"kinds:\n- {entry}\n")
            ran = self.run_gpulint("check")
            self.assertEqual((ran.status, ran.err.count("gpulint.yaml:")), (2, 1), entry)
            self.assertIn("gpulint.yaml" + told, ran.err, entry)
