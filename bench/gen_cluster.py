#!/usr/bin/env python3
"""A whole cluster as `kubectl get nodes,pods,… -A -o json` prints it: nodes, workloads, and the pods that run of them.

usage: gen_cluster.py FILE [--pods 50000] [--nodes 5000] [--seed 7] [--managed-fields]
50,000 pods and 5,000 nodes are some 600 MB. One workload in four asks for GPUs; of these one in ten tolerates no taint and
is bound to no node. Every pod has its owner's reference, its volumes and environment, and a status.
"""
import argparse
import json
import random

import gen_nodes

NAMESPACES = [f"team-{i}" for i in range(40)]


def environment(rng):
    return [{"name": f"SETTING_{i}", "value": f"{rng.getrandbits(96):024x}"} for i in range(rng.randrange(2, 8))]


def container(name, resources, rng):
    return {"name": name, "image": f"registry.example.com/{name}:v{rng.randrange(99)}", "imagePullPolicy": "IfNotPresent",
            "command": ["/usr/bin/serve", "--config=/etc/app/config.yaml"], "env": environment(rng), "resources": resources,
            "livenessProbe": {"failureThreshold": 3, "httpGet": {"path": "/healthz", "port": 8080, "scheme": "HTTP"}, "periodSeconds": 10},
            "ports": [{"containerPort": 8080, "name": "http", "protocol": "TCP"}],
            "securityContext": {"allowPrivilegeEscalation": False, "runAsNonRoot": True},
            "terminationMessagePath": "/dev/termination-log", "terminationMessagePolicy": "File",
            "volumeMounts": [{"mountPath": "/etc/app", "name": "config"}, {"mountPath": "/data", "name": "data"}]}


def pod_spec(rng):
    """A pod of a workload, and whether nothing keeps it off the nodes with GPUs."""
    asks = rng.random() < 0.25
    resources = {"requests": {"cpu": "500m", "memory": "1Gi"}, "limits": {"memory": "2Gi"}}
    spec = {"containers": [container("main", resources, rng), container("proxy", {"requests": {"cpu": "10m"}}, rng)],
            "dnsPolicy": "ClusterFirst", "enableServiceLinks": True, "restartPolicy": "Always", "schedulerName": "default-scheduler",
            "serviceAccountName": "default", "terminationGracePeriodSeconds": 30,
            "volumes": [{"configMap": {"defaultMode": 420, "name": "config"}, "name": "config"}, {"emptyDir": {}, "name": "data"}]}
    fits = True
    if asks:
        resources["requests"]["nvidia.com/gpu"] = resources["limits"]["nvidia.com/gpu"] = "1"
        spec["nodeSelector"] = {"nvidia.com/gpu.product": rng.choice([product for _, product, _ in gen_nodes.PRODUCTS])}
        fits = rng.random() < 0.9
        if fits:
            spec["tolerations"] = [{"effect": "NoSchedule", "key": key, "operator": "Exists"} for key in ("nvidia.com/gpu", "dedicated")]
    return spec, fits


def pod_status(spec, runs, rng):
    if not runs:
        return {"phase": "Pending", "qosClass": "Burstable",
                "conditions": [{"lastProbeTime": None, "lastTransitionTime": "2026-11-01T10:00:00Z", "status": "False", "type": "PodScheduled",
                                "reason": "Unschedulable", "message": "0/5000 nodes are available: 5000 node(s) had untolerated taint(s)"}]}
    return {"phase": "Running", "qosClass": "Burstable", "hostIP": "10.0.0.7", "podIP": "10.1.0.9", "startTime": "2026-11-01T10:00:00Z",
            "conditions": [{"lastProbeTime": None, "lastTransitionTime": "2026-11-01T10:00:00Z", "status": "True", "type": name}
                           for name in ("PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled")],
            "containerStatuses": [{"containerID": f"containerd://{rng.getrandbits(256):064x}", "image": one["image"], "lastState": {}, "ready": True,
                                   "imageID": f"registry.example.com/{one['name']}@sha256:{rng.getrandbits(256):064x}", "name": one["name"],
                                   "resources": one["resources"], "restartCount": 0, "started": True,
                                   "state": {"running": {"startedAt": "2026-11-01T10:00:09Z"}}} for one in spec["containers"]]}


def managed_fields(spec):
    def names(value):
        if isinstance(value, dict):
            return {f"f:{key}": names(one) for key, one in value.items()}
        if isinstance(value, list) and value and isinstance(value[0], dict) and "name" in value[0]:
            return {f'k:{{"name":"{one["name"]}"}}': names(one) for one in value}
        return {}
    return [{"apiVersion": "v1", "fieldsType": "FieldsV1", "manager": "kube-controller-manager", "operation": "Update",
             "time": "2026-11-01T10:00:00Z", "fieldsV1": {"f:spec": names(spec)}}]


def workload(index, rng):
    """A Deployment as people wrote it."""
    spec, fits = pod_spec(rng)
    name, namespace = f"app-{index}", rng.choice(NAMESPACES)
    labels = {"app": name, "team": namespace}
    return {"apiVersion": "apps/v1", "kind": "Deployment",
            "metadata": {"name": name, "namespace": namespace, "uid": f"{rng.getrandbits(128):032x}", "labels": labels},
            "spec": {"replicas": 1, "selector": {"matchLabels": {"app": name}}, "template": {"metadata": {"labels": labels}, "spec": spec}}}, fits


def pod(owner, number, fits, nodes, args, rng):
    template = owner["spec"]["template"]
    name, namespace = owner["metadata"]["name"], owner["metadata"]["namespace"]
    spec = dict(template["spec"])
    if fits:
        spec["nodeName"] = f"node-{rng.randrange(nodes)}"
    spec["tolerations"] = spec.get("tolerations", []) + [
        {"effect": "NoExecute", "key": f"node.kubernetes.io/{key}", "operator": "Exists", "tolerationSeconds": 300} for key in ("not-ready", "unreachable")]
    metadata = {"annotations": {"checksum/config": f"{rng.getrandbits(256):064x}"}, "creationTimestamp": "2026-11-01T10:00:00Z",
                "generateName": f"{name}-6d4cf56db6-", "labels": {**template["metadata"]["labels"], "pod-template-hash": "6d4cf56db6"},
                "name": f"{name}-6d4cf56db6-{number:05}", "namespace": namespace, "resourceVersion": "123456", "uid": f"{rng.getrandbits(128):032x}",
                "ownerReferences": [{"apiVersion": "apps/v1", "blockOwnerDeletion": True, "controller": True, "kind": "ReplicaSet",
                                     "name": f"{name}-6d4cf56db6", "uid": f"{owner['metadata']['uid']}"}]}
    if args.managed_fields:
        metadata["managedFields"] = managed_fields(spec)
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": pod_status(spec, fits, rng)}


def objects(args):
    rng = random.Random(args.seed)
    for index in range(args.nodes):
        node = gen_nodes.node(index, rng)
        if node["spec"]["taints"]:
            node["spec"]["taints"].append({"key": "dedicated", "value": "gpu", "effect": "NoSchedule"})
        yield node
    index = made = 0
    while made < args.pods:
        owner, fits = workload(index, rng)
        count = min(rng.choice([1, 2, 3, 10, 30, 100, 300]), args.pods - made)
        yield owner
        for number in range(count):
            yield pod(owner, number, fits, max(args.nodes, 1), args, rng)
        index, made = index + 1, made + count


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--pods", type=int, default=50000)
    parser.add_argument("--nodes", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--managed-fields", action="store_true")
    args = parser.parse_args()
    with open(args.file, "w", encoding="utf-8") as out:
        out.write('{\n    "apiVersion": "v1",\n    "items": [')
        for number, value in enumerate(objects(args)):
            text = json.dumps(value, indent=4).replace("\n", "\n        ")
            out.write(f"{',' if number else ''}\n        {text}")
        out.write('\n    ],\n    "kind": "List",\n    "metadata": {\n        "resourceVersion": ""\n    }\n}\n')


if __name__ == "__main__":
    main()
