#!/usr/bin/env python3
"""What policies cost an API server: its processor time for each pod, with policies and without.

usage: costs.py GPULINT APISERVER [--pods 250]
Each round asks for dry runs of a pod with a GPU and of one without, first without policies, then with those for 4 and for 50
kinds of nodes. A round's times are held against what it took without policies, since what else a machine does comes and goes; of
these ratios the median counts. Leaves with 1 where 4 kinds cost more than three times as
much for a pod with a GPU as none, or 1.2 times for another.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import yaml

import server as cluster

ROUNDS = 9
IDLE_SECONDS = 2
MOST = {"gpu": 3.0, "other": 1.2}
TOLERATION = {"key": "nvidia.com/gpu", "operator": "Equal", "value": "present", "effect": "NoSchedule"}


def node(index):
    return {"apiVersion": "v1", "kind": "Node",
            "metadata": {"name": f"gpu-{index}", "labels": {"nvidia.com/gpu.product": "Tesla-T4", "pool": f"pool-{index}"}},
            "spec": {"taints": [{"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}]},
            "status": {"allocatable": {"cpu": "16", "memory": "64Gi", "pods": "110", "nvidia.com/gpu": str(1 + index % 8)}}}


def pod(kind):
    """One as people write them, whatever it asks for."""
    limits = {"cpu": "4", "memory": "8Gi", **({"nvidia.com/gpu": "1"} if kind == "gpu" else {})}
    spec = {"containers": [{"name": "main", "image": "a/b:1", "env": [{"name": "A", "value": "b"}], "resources": {"limits": limits},
                            "volumeMounts": [{"name": "data", "mountPath": "/data"}]},
                           {"name": "proxy", "image": "a/b:1", "ports": [{"containerPort": 8080}]}],
            "volumes": [{"name": "data", "emptyDir": {}}]}
    if kind == "gpu":
        spec.update({"nodeSelector": {"nvidia.com/gpu.product": "Tesla-T4"}, "tolerations": [TOLERATION]})
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": f"{kind}-pod", "labels": {"app": "x"}}, "spec": spec}


def policies(gpulint, count):
    """The policies for so many kinds of nodes; each node is a kind of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "nodes.json"
        # Two of each, since labels of which each node has a value of its own tell no nodes apart.
        twins = [{**node(i), "metadata": {**node(i)["metadata"], "name": f"gpu-{i}-{twin}"}} for i in range(count) for twin in "ab"]
        path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": twins}))
        ran = subprocess.run([gpulint, "policy", "--no-config", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True, text=True)
    assert f"kinds of nodes: {count}." in ran.stdout, ran.stdout[:300]
    return [one for one in yaml.load_all(ran.stdout, yaml.CSafeLoader) if one]


def milliseconds(server, kind, pods):
    """Processor time of the server for each request; garbage of before is part of it, what it does unasked is not."""
    started, before = time.monotonic(), server.processor_seconds()
    time.sleep(IDLE_SECONDS)
    idle = (server.processor_seconds() - before) / (time.monotonic() - started)
    started, before = time.monotonic(), server.processor_seconds()
    for _ in range(pods):
        status, answer = server.client.create(pod(kind), "default", "?dryRun=All")
        assert status == 201, answer
        assert not server.client.warnings, server.client.warnings
    spent = server.processor_seconds() - before - idle * (time.monotonic() - started)
    return spent / pods * 1000


def is_in_force(client):
    wrong = pod("other")
    wrong["spec"]["containers"][0]["resources"]["limits"]["alpha.kubernetes.io/nvidia-gpu"] = "1"
    return client.create(wrong, "default", "?dryRun=All")[0] == 422


def measure(server, states, pods):
    """{(state, kind): milliseconds of each round}."""
    times = {}
    for _ in range(ROUNDS):
        for name, objects in states.items():
            server.client.apply(objects)
            if objects:
                cluster.wait_for("the policies", lambda: is_in_force(server.client))
                time.sleep(2)  # the one that warns comes a refresh later
            for kind in MOST:
                times.setdefault((name, kind), []).append(milliseconds(server, kind, pods))
            for one in reversed(objects):
                server.client.delete(one)
            cluster.wait_for("the policies to go", lambda: not is_in_force(server.client))
    return times


def ratio(times, state, kind):
    return statistics.median(mine / none for mine, none in zip(times[state, kind], times["none", kind]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("gpulint")
    parser.add_argument("apiserver")
    parser.add_argument("--pods", type=int, default=250)
    options = parser.parse_args()
    gpulint = pathlib.Path(options.gpulint).resolve()
    states = {"none": [], "4": policies(gpulint, 4), "50": policies(gpulint, 50)}
    with cluster.running(options.apiserver) as server:
        for kind in MOST:
            milliseconds(server, kind, options.pods)  # what starts slowly
        times = measure(server, states, options.pods)
    print("| policies for | pod with a GPU | other pod |\n|---|---|---|")
    for name in states:
        told = [f"{statistics.median(times[name, kind]):.2f} ms ({ratio(times, name, kind):.2f} ×)" for kind in MOST]
        print(f"| {'no policies' if name == 'none' else name + ' kinds of nodes'} | " + " | ".join(told) + " |")
    dear = [kind for kind, most in MOST.items() if ratio(times, "4", kind) > most]
    print("\n".join(f"too dear: {kind}" for kind in dear) or f"medians of {ROUNDS} rounds of {options.pods} pods each")
    return 1 if dear else 0


if __name__ == "__main__":
    sys.exit(main())
