#!/usr/bin/env python3
"""Nodes as `kubectl get nodes -o json` prints them, with images, conditions and annotations.

usage: gen_nodes.py FILE [--nodes 5000] [--seed 7]
"""
import argparse
import json
import random

PRODUCTS = [("nvidia-tesla-t4", "Tesla-T4", 1), ("nvidia-l4", "NVIDIA-L4", 2),
            ("nvidia-tesla-a100", "NVIDIA-A100-SXM4-40GB", 8), ("nvidia-h100-80gb", "NVIDIA-H100-80GB-HBM3", 8)]


def images(rng):
    return [{"names": [f"registry.example.com/team-{rng.randrange(99)}/image-{i}@sha256:{rng.getrandbits(256):064x}",
                       f"registry.example.com/team/image-{i}:v{rng.randrange(9)}.{rng.randrange(99)}"],
             "sizeBytes": rng.randrange(10**6, 10**10)} for i in range(rng.randrange(22, 36))]


def conditions():
    names = ["MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable", "Ready"]
    return [{"type": name, "status": str(name == "Ready"), "reason": f"Kubelet{name}",
             "message": "kubelet is posting its status", "lastHeartbeatTime": "2026-11-01T10:00:00Z",
             "lastTransitionTime": "2026-10-01T10:00:00Z"} for name in names]


def node(index, rng):
    gke, product, count = rng.choice(PRODUCTS)
    has_gpu = rng.random() < 0.3
    labels = {"kubernetes.io/hostname": f"node-{index}", "kubernetes.io/arch": "amd64", "kubernetes.io/os": "linux",
              "topology.kubernetes.io/zone": rng.choice(["a", "b", "c"]), "node.kubernetes.io/instance-type": "n1-standard-8"}
    taints, resources = [], {"cpu": "7910m", "memory": "27Gi", "pods": "110", "ephemeral-storage": "47093746742"}
    if has_gpu:
        labels.update({"cloud.google.com/gke-accelerator": gke, "nvidia.com/gpu.product": product})
        taints = [{"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}]
        resources["nvidia.com/gpu"] = str(count)
    annotations = {f"node.example.com/annotation-{i}": f"{rng.getrandbits(400):0100x}" for i in range(8)}
    return {"apiVersion": "v1", "kind": "Node",
            "metadata": {"name": f"node-{index}", "uid": f"{rng.getrandbits(128):032x}", "labels": labels,
                         "annotations": annotations},
            "spec": {"podCIDR": f"10.{index % 250}.0.0/24", "taints": taints},
            "status": {"allocatable": resources, "capacity": resources, "conditions": conditions(),
                       "images": images(rng), "nodeInfo": {"kubeletVersion": "v1.31.4", "osImage": "Debian"}}}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--nodes", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    with open(args.file, "w", encoding="utf-8") as out:
        json.dump({"apiVersion": "v1", "kind": "List", "items": [node(i, rng) for i in range(args.nodes)]}, out, indent=4)


if __name__ == "__main__":
    main()
