#!/usr/bin/env python3
"""Doubling the input at most doubles time and memory, for every command.

usage: growth.py GPULINT [NAME…]

Each case writes an input of a given size. A command runs on it at SIZES of increasing size; CPU time is the
least of three runs, memory the peak of the process. Names select cases (`quotas`) or commands (`why`).
The exit status is 1 where a doubling costs more than it may.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

MOST_TIME = 2.6    # times, for twice the input
MOST_MEMORY = 2.6
LEAST_SECONDS = 0.2    # where the input costs less, sizes are doubled until it does not
LEAST_MEGABYTES = 60   # below it the program itself counts
MOST_DOUBLINGS = 5
LARGEST = {"chain": 2000}    # twice as many are still built: 5,000 levels are the limit
TIMEOUT = 120

POD = """apiVersion: v1
kind: Pod
metadata: {{name: p{0}, namespace: n{0}{1}}}
spec:
  containers:
  - {{name: a, image: x, resources: {{limits: {{nvidia.com/gpu: 2}}}}}}
"""
NODE = """apiVersion: v1
kind: Node
metadata: {{name: n{0}, labels: {{k{0}: v}}}}
spec: {{taints: [{{key: nvidia.com/gpu, value: "{0}", effect: NoSchedule}}]}}
status: {{allocatable: {{cpu: "8", memory: 32Gi, pods: "110", nvidia.com/gpu: "1"}}}}
"""
ZONE_NODE = """apiVersion: v1
kind: Node
metadata: {{name: n-{0}, labels: {{topology.kubernetes.io/zone: {0}, kubernetes.io/arch: amd64}}}}
status: {{allocatable: {{cpu: "64", memory: 256Gi, pods: "110", nvidia.com/gpu: "{1}"}}}}
"""
SPREAD = """apiVersion: apps/v1
kind: Deployment
metadata: {{name: d{0}, namespace: team}}
spec:
  replicas: 4
  selector: {{matchLabels: {{app: web}}}}
  template:
    metadata: {{labels: {{app: web}}}}
    spec:
      topologySpreadConstraints:
      - {{maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {{matchLabels: {{app: web}}}}}}
      affinity:
        podAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
          - {{topologyKey: topology.kubernetes.io/zone, labelSelector: {{matchLabels: {{app: home}}}}}}
      containers: [{{name: a, image: x, resources: {{limits: {{nvidia.com/gpu: 1}}}}}}]
"""
BOUND = """apiVersion: v1
kind: Pod
metadata: {{name: h{0}, namespace: team, labels: {{app: home}}}}
spec: {{nodeName: n-c, containers: [{{name: a, image: x}}]}}
"""
QUOTA = """apiVersion: v1
kind: ResourceQuota
metadata: {{name: q{0}, namespace: n{0}}}
spec: {{hard: {{requests.nvidia.com/gpu: 1}}}}
---
apiVersion: v1
kind: LimitRange
metadata: {{name: r{0}, namespace: n{0}}}
spec: {{limits: [{{type: Container, default: {{cpu: 1}}}}]}}
"""
QUEUE = """apiVersion: kueue.x-k8s.io/v1beta1
kind: ClusterQueue
metadata: {{name: q{0}}}
spec:
  cohort: c
  namespaceSelector: {{}}
  resourceGroups:
  - coveredResources: [nvidia.com/gpu]
    flavors: [{{name: f{0}, resources: [{{name: nvidia.com/gpu, nominalQuota: 1}}]}}]
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: ResourceFlavor
metadata: {{name: f{0}}}
spec: {{nodeLabels: {{a: b{0}}}}}
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: LocalQueue
metadata: {{name: l{0}, namespace: n{0}}}
spec: {{clusterQueue: q{0}}}
"""
TEMPLATE = """apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {{name: t{0}, namespace: n}}
spec: {{spec: {{devices: {{requests: [{{name: gpu, exactly: {{deviceClassName: gpu.nvidia.com}}}}]}}}}}}
---
apiVersion: v1
kind: Pod
metadata: {{name: p{0}, namespace: n}}
spec:
  resourceClaims: [{{name: gpu, resourceClaimTemplateName: t{0}}}]
  containers:
  - {{name: a, image: x, resources: {{claims: [{{name: gpu}}]}}}}
"""
SLICE = """apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {{name: s{0}}}
spec:
  driver: gpu.nvidia.com
  nodeName: n{0}
  pool: {{name: n{0}, generation: 1, resourceSliceCount: 1}}
  devices: [{{name: gpu-0, attributes: {{type: {{string: gpu}}}}}}]
"""
CLASS = """apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu.nvidia.com}
spec: {selectors: [{cel: {expression: "device.driver == 'gpu.nvidia.com'"}}]}
"""
DEPLOYMENT = """apiVersion: apps/v1
kind: Deployment
metadata: {{name: d{0}}}
spec:
  template:
    spec:
      containers:
      - {{name: a, image: x, resources: {{requests: {{nvidia.com/gpu: 1}}}}}}
"""
VALUES = """configuration:
  inline:
    plugins:
      k8s:
        gpu-device-node-label: nvidia.com/gpu.product
"""


def many(form, count, *rest):
    return "---\n".join(form.format(i, *rest) for i in range(count))


def write(folder, name, text):
    path = pathlib.Path(folder, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def pods(folder, n):
    write(folder, "a.yaml", many(POD, n, "") + "---\n" + many(NODE, 5))


def quotas(folder, n):
    write(folder, "a.yaml", many(QUOTA, n) + "---\n" + many(POD, n, ""))


def queues(folder, n):
    labelled = "---\n".join(POD.format(i, f", labels: {{kueue.x-k8s.io/queue-name: l{i}}}") for i in range(n))
    write(folder, "a.yaml", many(QUEUE, n) + "---\n" + labelled)


def selectors(folder, n):
    """Each template selects another device."""
    chosen = TEMPLATE.replace("gpu.nvidia.com}}", "gpu.nvidia.com, selectors: [{{cel: {{expression: "
                              "\"device.attributes['gpu.nvidia.com'].type == 'gpu{0}'\"}}}}]}}")
    write(folder, "a.yaml", CLASS + "---\n" + many(chosen, n) + "---\n" + many(SLICE.replace("string: gpu", "string: gpu{0}"), n))


def claims(folder, n):
    write(folder, "a.yaml", CLASS + "---\n" + many(TEMPLATE, n) + "---\n" + many(SLICE, n // 8))


def spread(folder, n):
    """Replicas over zones, one of which fits none of them, next to pods that are bound there."""
    zones = "---\n".join(ZONE_NODE.format(zone, gpus) for zone, gpus in (("a", 9000), ("b", 9000), ("c", 0)))
    write(folder, "a.yaml", zones + "---\n" + many(SPREAD, n) + "---\n" + many(BOUND, n))


def chain(folder, n):
    for i in range(n):
        below = f"../k{i + 1}" if i + 1 < n else "pod.yaml"
        write(folder, f"k{i}/kustomization.yaml", f"resources: [{below}]\nnamespace: team\n")
    write(folder, f"k{n - 1}/pod.yaml", POD.format(1, ""))


def overlays(folder, n):
    """One kustomization with n objects, a patch for each, and what it gives to all."""
    write(folder, "base.yaml", many(DEPLOYMENT, n))
    patches = "".join(
        f"- target: {{kind: Deployment, name: d{i}}}\n  patch: |-\n"
        "    - {op: add, path: /spec/replicas, value: 2}\n" if i % 100 == 0 else
        f"- patch: |-\n    apiVersion: apps/v1\n    kind: Deployment\n    metadata: {{name: d{i}}}\n"
        "    spec: {replicas: 2}\n" for i in range(n))
    write(folder, "kustomization.yaml",
          f"resources: [base.yaml]\nnamePrefix: x-\ncommonLabels: {{app: a}}\npatches:\n{patches}")


def pairs(folder, n):
    """n pods that each find a reason on n/2 nodes, no two alike: the answer itself is their product."""
    write(folder, "a.yaml", many(NODE, n // 2) + "---\n" + many(POD, n, ""))


def nodes(folder, n):
    write(folder, "a.yaml", many(NODE, n) + "---\n" + many(POD, 5, ""))


def scopes(folder, n):
    for i in range(n):
        write(folder, f"c{i}/nodes.yaml", NODE.format(i))
        write(folder, f"c{i}/pod.yaml", POD.format(i, ""))


def tasks(folder, n):
    write(folder, "t.py", "from flytekit import task, Resources\n" + "".join(
        f'@task(limits=Resources(gpu="{i % 8 + 1}"))\ndef t{i}(): pass\n' for i in range(n)))
    write(folder, "values.yaml", VALUES)
    write(folder, "nodes.yaml", many(NODE, 5))


CHECK, FIX = ["check"], ["fix", "--diff", "--unsafe-fixes"]
# Inputs, the first size of each, and the commands that read them.
CASES = [(pods, 4000, [CHECK, FIX, ["place"], ["why"], ["policy"], ["nodes"]]),
         (quotas, 2000, [CHECK, ["place"]]),
         (queues, 1000, [CHECK, ["place"], ["policy"]]),
         (claims, 2000, [CHECK, ["place"], ["why"]]),
         (selectors, 500, [CHECK]),
         (spread, 500, [CHECK, ["place"], ["why"]]),
         (chain, 1000, [CHECK, ["policy"], ["place"]]),
         (overlays, 1000, [CHECK, FIX, ["place"], ["why"]]),
         (nodes, 2000, [CHECK, ["place"], ["policy"], ["nodes"], ["generate", "--task", "name=t,gpu=1"]]),
         (scopes, 500, [CHECK, ["place"], ["why"]]),
         (tasks, 1000, [CHECK, ["compile"], ["why"], ["place"]])]
# What grows with the product of pods and nodes is measured by pods alone.
PRODUCTS = [(pairs, 250, [["why"], ["place"]])]


def run(gpulint, command, folder):
    """CPU seconds and MiB."""
    arguments = [gpulint, command[0], "--no-config", "--jobs", "1", *command[1:], "."]
    if command[0] in ("check", "fix", "why", "place"):
        arguments.insert(2, "-q")
    process = subprocess.Popen(arguments, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(arguments)}: exit status {process.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def measure(gpulint, make, size, command):
    with tempfile.TemporaryDirectory() as folder:
        make(folder, size)
        first = run(gpulint, command, folder)
        more = [run(gpulint, command, folder) for _ in range(2)] if first[0] >= LEAST_SECONDS / 4 else []
    return min(seconds for seconds, _ in [first, *more]), min(memory for _, memory in [first, *more])


def check(gpulint, make, size, command, most):
    seconds, memory = measure(gpulint, make, size, command)
    for _ in range(MOST_DOUBLINGS):
        if seconds >= LEAST_SECONDS or size >= LARGEST.get(make.__name__, size + 1):
            break
        size *= 2
        seconds, memory = measure(gpulint, make, size, command)
    twice_seconds, twice_memory = measure(gpulint, make, 2 * size, command)
    slower, larger = twice_seconds / max(seconds, 0.01), twice_memory / memory
    fails = slower > most or (larger > most and twice_memory > LEAST_MEGABYTES)
    print(f"{make.__name__:8} {' '.join(command):26} {size:6} {seconds:6.2f} s {memory:6.0f} MB"
          f" | x2: {slower:.2f} {larger:.2f}{'  <- grows faster than its input' if fails else ''}", flush=True)
    return not fails


def main():
    gpulint, *names = sys.argv[1:]
    gpulint = os.path.abspath(gpulint)
    passes = True
    for cases, most in ((CASES, MOST_TIME), (PRODUCTS, 2 * MOST_TIME)):
        for make, size, commands in cases:
            for command in commands:
                if names and make.__name__ not in names and command[0] not in names:
                    continue
                passes = check(gpulint, make, size, command, most) and passes
    return 0 if passes else 1


if __name__ == "__main__":
    sys.exit(main())
