"""Records what charts make of values: record_charts.py HELM CLONES. Needs PyYAML; run by hand, never by the build.

Each testdata/charts/NAME.yaml is a HelmRelease. Its chart, out of CLONES (`OWNER+NAME/repo`, git directories), is rendered
by real Helm with its values; of the DaemonSets below, and of a ClusterPolicy, NAME.json keeps what decides on nodes.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import yaml

from operator_sources import CHARTS

# Chart: how a DaemonSet's name ends, and as what gpulint knows it.
DAEMONSETS = {
    "gpu-operator": [("node-feature-discovery-worker", "node-feature-discovery-worker")],
    "nvidia-device-plugin": [("nvidia-device-plugin", "nvidia-device-plugin")],
    "dcgm-exporter": [("dcgm-exporter", "dcgm-exporter")],
    "node-feature-discovery": [("worker", "node-feature-discovery-worker")],
    "dra-driver-nvidia-gpu": [("kubelet-plugin", "nvidia-dra-driver-gpu-kubelet-plugin")],
    "amd-gpu": [("device-plugin-daemonset", "amd-gpu-device-plugin-daemonset")],
    "hami": [("hami-device-plugin", "hami-vgpu-device-plugin")],
}
MORE = {"dra-driver-nvidia-gpu": ["gpuResourcesEnabledOverride=true"]}


def extract(clones, row, into):
    argv = ["git", "-C", f"{clones}/{row['repository'].replace('/', '+')}/repo", "archive", "HEAD", row["folders"][0]]
    archive = subprocess.run(argv, capture_output=True, check=True).stdout
    subprocess.run(["tar", "x", "-C", into], input=archive, check=True)
    chart = pathlib.Path(into) / row["folders"][0]
    described = yaml.safe_load((chart / "Chart.yaml").read_text())
    described.pop("kubeVersion", None)
    if not (chart / "charts").is_dir():  # switched off below
        described.pop("dependencies", None)
    (chart / "Chart.yaml").write_text(yaml.safe_dump(described))
    (chart / "Chart.lock").unlink(missing_ok=True)
    return chart


def render(helm, chart, name, values):
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        yaml.safe_dump(values, file)
        argv = [helm, "template", "r", str(chart), "--namespace", "gpu", "--values", file.name,
                "--api-versions", "resource.k8s.io/v1"]
        for setting in MORE.get(name, []):
            argv += ["--set", setting]
        done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{name}: {done.stderr}")
    return [found for found in yaml.safe_load_all(done.stdout) if found]


def pod(name, spec):
    return {"daemonset": name, "tolerations": spec.get("tolerations") or [], "nodeSelector": spec.get("nodeSelector") or {}}


def main():
    helm, clones = sys.argv[1:]
    folder = pathlib.Path(__file__).resolve().parent.parent / "testdata" / "charts"
    for path in sorted(folder.glob("*.yaml")):
        release = yaml.safe_load(path.read_text())["spec"]
        name = release["chart"]["spec"]["chart"]
        row = next(row for row in CHARTS if name in row["charts"])
        with tempfile.TemporaryDirectory() as into:
            objects = render(helm, extract(clones, row, into), name, release.get("values") or {})
        found = []
        for made in objects:
            if made["kind"] == "ClusterPolicy":
                found.append(pod("nvidia-device-plugin-daemonset", made["spec"]["daemonsets"]))
            if made["kind"] != "DaemonSet":
                continue
            known = [known for end, known in DAEMONSETS[name] if made["metadata"]["name"].endswith(end)]
            found += [pod(known[0], made["spec"]["template"]["spec"])] if known else []
        path.with_suffix(".json").write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
