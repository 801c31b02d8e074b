"""Inputs for pages of known size: workloads that miss nodes in every way, and many findings of few kinds.

usage: page_inputs.py small|wide|many FOLDER  writes them there, to look at a page by hand.
"""
import pathlib
import sys


def node(name, gpus=0, labels=(), taints=(), cpu="16"):
    """A Node; every one says which machine it is, so that none is another's twin by its text."""
    pairs = {"kubernetes.io/hostname": name, **dict(labels)}
    lines = ["---", "apiVersion: v1", "kind: Node", "metadata:", f"  name: {name}", "  labels:"]
    lines += [f'    {key}: "{value}"' for key, value in pairs.items()]
    lines += ["spec:", "  taints:"] if taints else []
    lines += [f"  - {{key: {key}, value: {value}, effect: NoSchedule}}" for key, value in taints]
    lines += ["status:", f'  allocatable: {{cpu: "{cpu}", memory: 64Gi, pods: "110"'
              + (f', nvidia.com/gpu: "{gpus}"' if gpus else "") + "}"]
    return "\n".join(lines) + "\n"


def pod(name, gpus=1, selector=(), tolerations=(), cpu="2"):
    lines = ["---", "apiVersion: v1", "kind: Pod", f"metadata: {{name: {name}}}", "spec:"]
    lines += ["  nodeSelector:", *(f"    {key}: {value}" for key, value in dict(selector).items())] if selector else []
    lines += ["  tolerations:", *(f"  - {{key: {key}, operator: Equal, value: {value}, effect: NoSchedule}}"
                                  for key, value in tolerations)] if tolerations else []
    lines += ["  containers:", "  - name: main", "    image: registry.example/train:1.4", "    resources:",
              f'      limits: {{cpu: "{cpu}", memory: 8Gi, nvidia.com/gpu: {gpus}}}']
    return "\n".join(lines) + "\n"


GPU_TAINT = ("nvidia.com/gpu", "present")


VALUES = """\
# Helm values of flyte-binary.
configuration:
  inline:
    plugins:
      k8s:
        gpu_device_node_label: cloud.google.com/gke-accelerator
        default-node-selector: {beta.kubernetes.io/os: linux}
        default-env-vars:
        - NVIDIA_VISIBLE_DEVICES: all
        gpu-resource-nam: nvidia.com/gpu
        resource-tolerations:
        - nvidia.com/gpu:
          - {key: nvidia.com/gpu, operator: Equal, value: gpu, effect: NoSchedule}
"""
TASKS = """\
- {name: train, gpu: 1, accelerator: nvidia-tesla-a100}
- {name: eval, gpu: 1, accelerator: nvidia-tesla-t4}
"""


def small(folder):
    """3 workloads × 12 nodes: two tasks under Flyte's values and a pod that asks for too much."""
    key = "cloud.google.com/gke-accelerator"
    nodes = [node(f"gke-ml-a100-{i}", 8, {key: "nvidia-tesla-a100", "pool": "a100"}, [GPU_TAINT]) for i in range(1, 7)]
    nodes += [node(f"gke-ml-t4-{i}", 1, {key: "nvidia-tesla-t4", "pool": "t4"}, [GPU_TAINT]) for i in range(1, 4)]
    nodes += [node(f"gke-ml-cpu-{i}") for i in range(1, 4)]
    write(folder, "nodes.yaml", *nodes)
    write(folder, "pods.yaml", pod("wide", 16, {"pool": "a100"}, [GPU_TAINT]))
    write(folder, "values.yaml", VALUES)
    write(folder, "tasks.yaml", TASKS)


def wide(folder):
    """25 workloads × 40 nodes, no two of which are alike to all workloads."""
    nodes = []
    for i in range(40):
        taints = [GPU_TAINT] if i % 3 == 0 else [("dedicated", f"team-{i % 4}")] if i % 3 == 1 else []
        nodes.append(node(f"ip-10-0-{i}-{i * 5 % 250}.eu-west-1.compute.internal", [8, 4, 1, 0][i % 4],
                          {"pool": f"p{i}", "zone": "abc"[i % 3]}, taints, cpu=str(4 + i)))
    pods = []
    for i in range(25):
        selector = [{"pool": f"p{i}"}, {"zone": "abc"[i % 3]}, {"pool": f"q{i}", "zone": "a"}, {}][i % 4]
        tolerations = [[], [GPU_TAINT], [("dedicated", f"team-{i % 4}")]][i % 3]
        pods.append(pod(f"train-{i:02}", [1, 2, 8, 16][i % 4], selector, tolerations, cpu=str(3 + i)))
    write(folder, "nodes.yaml", *nodes)
    write(folder, "pods.yaml", *pods)


def many(folder):
    """60 findings of five rules in 12 files, beside two nodes."""
    write(folder, "nodes.yaml", node("gpu-1", 8, {"pool": "a100"}, [GPU_TAINT]), node("cpu-1"))
    for i in range(12):
        text = pod(f"job-{i:02}", 1, {"pool": "a100", "beta.kubernetes.io/os": "linux"}, [("nvidia.com/gpu", "gpu")])
        text = text.replace("    resources:", "    env:\n    - {name: NVIDIA_VISIBLE_DEVICES, value: all}\n    resources:")
        write(folder, f"jobs/job-{i:02}.yaml", text.replace("nvidia.com/gpu: 1}", "nvidia.com/gpu: 0.5}"),
              text.replace(f"name: job-{i:02}", f"name: again-{i:02}").replace("value: gpu,", "value: GPU,"))


def write(folder, name, *documents):
    path = pathlib.Path(folder) / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(documents))


SHAPES = {"small": small, "wide": wide, "many": many}


def arguments(shape, folder):
    """What to name to gpulint, relative to the folder."""
    files = [path.relative_to(folder).as_posix() for path in sorted(pathlib.Path(folder).rglob("*.yaml"))]
    tasks = ["--tasks", "tasks.yaml"] if shape == "small" else []
    return [name for name in files if name != "tasks.yaml"] + tasks


if __name__ == "__main__":
    SHAPES[sys.argv[1]](sys.argv[2])
