#!/usr/bin/env python3
"""docs/how-to/admission-policies.md against a real cluster: its commands run, and its messages are what people see.

usage: page.py GPULINT APISERVER KUBECTL
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import yaml

import server as cluster

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = (SOURCE / "docs/how-to/admission-policies.md").read_text()
NODES = """\
apiVersion: v1
kind: Node
metadata: {name: gpu-1, labels: {nvidia.com/gpu.product: Tesla-T4, kubernetes.io/hostname: gpu-1}}
spec: {taints: [{key: dedicated, value: ml, effect: NoSchedule}]}
status: {allocatable: {cpu: "16", memory: 64Gi, pods: "110", nvidia.com/gpu: "2"}}
"""
DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: train}
spec:
  selector: {matchLabels: {app: train}}
  template:
    metadata: {labels: {app: train}}
    spec:
      containers:
      - name: main
        image: train:1.0
        resources: {limits: {RESOURCE: 1}}
"""


def words(text):
    """Without line breaks and indentation, which are the page's."""
    return " ".join(text.split())


def commands(heading):
    """The first block of commands below a heading."""
    section = PAGE.split(f"\n## {heading}\n")[1]
    return re.search(r"```sh\n(.*?)```", section, re.S)[1].strip().splitlines()


class Page:
    def __init__(self, folder, path, kubeconfig):
        self.folder = pathlib.Path(folder)
        self.environment = {**os.environ, "PATH": f"{path}:{os.environ['PATH']}", "KUBECONFIG": str(kubeconfig), "HOME": str(folder)}
        self.wrong = []

    def run(self, command, status=0):
        """What a command of the page prints, on both channels."""
        ran = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=self.folder, env=self.environment, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        self.expect(ran.returncode == status, f"`{command}` left with {ran.returncode}: {ran.stdout}")
        return ran.stdout

    def expect(self, holds, text):
        if not holds:
            self.wrong.append(text)

    def apply(self, resource, status):
        (self.folder / "train.yaml").write_text(DEPLOYMENT.replace("RESOURCE", resource))
        return self.run("kubectl apply --dry-run=server -f train.yaml", status)

    def is_in_force(self):
        """Both policies: the server takes them up one by one."""
        before, self.wrong = self.wrong, []
        both = "gpulint-deny" in self.apply("alpha.kubernetes.io/nvidia-gpu", 1) and "gpulint-warn" in self.apply("nvidia.com/gpu", 0)
        self.wrong = before
        return both


def shown_messages():
    """The two messages of the page, each in one line."""
    section = PAGE.split("\n## What people see\n")[1].split("\n## ")[0]
    return [words(block) for block in re.findall(r"```\n(.*?)```", section, re.S)]


def check(page, client):
    client.call("POST", "/api/v1/nodes", yaml.safe_load(NODES))
    for command in commands("Five commands"):
        said = page.run(command)
    page.expect("gpulint-deny" in said and "gpulint-warn" in said, f"the last of the five commands lists {said}")
    cluster.wait_for("the policies", page.is_in_force)
    warning, refusal = shown_messages()
    page.expect(warning in words(page.apply("nvidia.com/gpu", 0)), f"not printed: {warning}")
    page.expect(refusal in words(page.apply("alpha.kubernetes.io/nvidia-gpu", 1)), f"not printed: {refusal}")
    check_roll_out(page)
    drift, = commands("Drift")
    page.expect("drifted" not in page.run(drift), "nodes and policy differ from the start")
    page.run("kubectl get validatingadmissionpolicies -o yaml >applied.yaml")
    page.expect("drifted" not in page.run(drift.replace("policy.yaml", "applied.yaml")), "what the cluster gives back differs")
    page.run("kubectl taint nodes gpu-1 dedicated- && kubectl taint nodes gpu-1 gpu=yes:NoSchedule")
    page.expect("nodes and policy have drifted" in page.run(drift), "drift is not found")
    page.expect("drifted" in page.run(drift.replace("policy.yaml", "applied.yaml")), "drift is not found in what the cluster gives back")


def check_roll_out(page):
    """What is refused is admitted in silence, then with a warning, then refused again."""
    wrong = "alpha.kubernetes.io/nvidia-gpu"
    audit, warn, deny = commands("Roll-out")

    def wait_for(what, status, word):
        def is_so():
            before, page.wrong = page.wrong, []
            said = page.apply(wrong, status)
            failed, page.wrong = page.wrong, before
            return not failed and (word in said if word else "Warning" not in said)

        cluster.wait_for(what, is_so)

    page.run(audit)
    wait_for("silence", 0, "")
    page.run(warn)
    wait_for("the warning", 0, "Warning: Validation failed for ValidatingAdmissionPolicy 'gpulint-deny'")
    page.run(deny)
    wait_for("the refusal", 1, "denied request")
    cluster.wait_for("the policies", page.is_in_force)


def check_mending(page, client):
    """`--format map`: a request without a limit, which the server refuses otherwise, gets its own amount; gone names and words in
    the wrong case are mended with it."""
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "train"}, "spec": {
        "tolerations": [{"operator": "Exists"}],
        "containers": [{"name": "main", "image": "a/b:1", "resources": {"requests": {"nvidia.com/gpu": "1"}}}]}}
    status, answer = client.create(pod, "default", "?dryRun=All")
    page.expect(status == 422 and "Limit must be set" in answer["message"], f"not refused without the policy: {answer}")
    page.run("gpulint policy --format map nodes.yaml >map.yaml && kubectl apply -f map.yaml")

    def mended():
        status, answer = client.create(pod, "default", "?dryRun=All")
        return answer if status == 201 else None

    answer = cluster.wait_for("the mutating policy", mended)
    limits = answer["spec"]["containers"][0]["resources"]["limits"]
    page.expect(limits == {"nvidia.com/gpu": "1"}, f"limits are {limits}")
    # What one rule mends another sees: renamed, the request needs a limit.
    pod["spec"]["containers"][0]["resources"] = {"requests": {"alpha.kubernetes.io/nvidia-gpu": "2"}}
    pod["spec"]["tolerations"] = [{"key": "nvidia.com/gpu", "operator": "exists", "effect": "noschedule"}]
    status, answer = client.create(pod, "default", "?dryRun=All")
    page.expect(status == 201, f"not mended: {answer}")
    spec = answer.get("spec", {})
    page.expect(spec["containers"][0]["resources"] == {one: {"nvidia.com/gpu": "2"} for one in ("limits", "requests")}, f"{spec}")
    page.expect({"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"} in spec["tolerations"], f"{spec['tolerations']}")


def main():
    gpulint, apiserver, kubectl = (pathlib.Path(one).resolve() for one in sys.argv[1:4])
    with cluster.running(apiserver) as server, tempfile.TemporaryDirectory() as folder:
        tools = pathlib.Path(folder) / "bin"
        tools.mkdir()
        (tools / "gpulint").symlink_to(gpulint)
        (tools / "kubectl").symlink_to(kubectl)
        page = Page(folder, tools, server.kubeconfig)
        check(page, server.client)
        check_mending(page, server.client)
    print("\n".join(page.wrong) or "docs/how-to/admission-policies.md: its commands run, and its messages are what is seen")
    return 1 if page.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
