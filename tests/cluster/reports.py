#!/usr/bin/env python3
"""Does an API server take what `--format openreports` and `policyreport` write? Under strict validation, by the schemas of those
who define the kinds.

usage: reports.py GPULINT APISERVER OPENREPORTS KUBECTL
OPENREPORTS is the folder of the Go module github.com/openreports/reports-api. The older kind has the fields that the newer one
took over from it: its schema is made of that, without what v1alpha2 does not have.
"""
import copy
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import yaml

import server as cluster

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
INPUTS = ["testdata/showcase/nodes.yaml", "rules/untolerated-taint/cases", "rules/unguarded-gpu-nodes/cases", "rules/fractional-gpu/cases"]
NODE = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "gpu-1"},
        "spec": {"taints": [{"key": "dedicated", "value": "ml", "effect": "NoSchedule"}]},
        "status": {"allocatable": {"cpu": "8", "memory": "32Gi", "nvidia.com/gpu": "1", "pods": "110"}}}
POD = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "train", "namespace": "default"},
       "spec": {"containers": [{"name": "main", "image": "a/b:1", "resources": {"limits": {"nvidia.com/gpu": "1"}}}]}}
NEW_FIELDS = ("source", "configuration")


def older(definition):
    """The CustomResourceDefinition of wgpolicyk8s.io/v1alpha2."""
    definition = copy.deepcopy(definition)
    spec, names = definition["spec"], definition["spec"]["names"]
    kind = names["kind"].replace("Report", "PolicyReport")
    plural = kind.lower() + "s"
    spec["group"] = "wgpolicyk8s.io"
    spec["names"] = {"kind": kind, "listKind": f"{kind}List", "plural": plural, "singular": kind.lower()}
    definition["metadata"] = {"name": f"{plural}.wgpolicyk8s.io"}
    for version in spec["versions"]:
        version["name"] = "v1alpha2"
        fields = version["schema"]["openAPIV3Schema"]["properties"]
        for name in NEW_FIELDS:
            fields.pop(name, None)
        fields["results"]["items"]["properties"]["severity"]["enum"] = ["high", "low", "medium"]
    return definition


def run_page(server, gpulint, kubectl):
    """What docs/how-to/cluster.md has run in a cluster: its objects are taken, and what its job runs writes reports, and takes back those
    of what has become right."""
    block = (SOURCE / "docs/how-to/cluster.md").read_text().split("## The fleet")[1].split("```yaml\n")[1].split("```")[0]
    objects = list(yaml.safe_load_all(block))
    for value in objects:
        status, answer = server.client.create(value, "gpulint", "?fieldValidation=Strict")
        assert status == 201, answer
    container, = objects[-1]["spec"]["jobTemplate"]["spec"]["template"]["spec"]["containers"]
    server.client.apply([NODE, POD])
    with tempfile.TemporaryDirectory() as folder:
        for name, program in (("gpulint", gpulint), ("kubectl", kubectl)):
            (pathlib.Path(folder) / name).symlink_to(pathlib.Path(program).resolve())
        variables = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "KUBECONFIG": str(server.kubeconfig), "HOME": folder}
        counts = []
        for _ in range(2):
            subprocess.run([*container["command"], *container["args"]], env=variables, check=True, stdout=subprocess.DEVNULL)
            _, answer = server.client.call("GET", "/apis/openreports.io/v1alpha1/namespaces/default/reports")
            counts.append(sum(len(one["results"]) for one in answer["items"]))
            server.client.call("DELETE", "/api/v1/namespaces/default/pods/train?gracePeriodSeconds=0")
        assert counts[0] > 0 and counts[1] == 0, counts


def main():
    gpulint, apiserver, module, kubectl = sys.argv[1:5]
    definitions = [yaml.safe_load(path.read_text()) for path in sorted((pathlib.Path(module) / "config/crd").glob("*.yaml"))]
    for definition in definitions:
        definition["metadata"].pop("creationTimestamp", None)
    taken = set()
    with cluster.running(apiserver) as server:
        server.client.apply(definitions + [older(one) for one in definitions])
        for name in ("openreports", "policyreport"):
            ran = subprocess.run([pathlib.Path(gpulint).resolve(), "check", "--no-config", "--preview", "--format", name, *INPUTS],
                                 cwd=SOURCE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
            for report in json.loads(ran.stdout)["items"]:
                cluster.wait_for(report["kind"], lambda report=report: server.forget_and_ask(report))
                space = report["metadata"].get("namespace", "default")
                server.client.apply([{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": space}}])
                status, answer = server.client.create(report, space, "?fieldValidation=Strict")
                assert status == 201 and not server.client.warnings, (report["kind"], answer.get("message"), server.client.warnings)
                assert report["results"], report
                taken.add(report["kind"])
        run_page(server, gpulint, kubectl)
    print("taken under strict validation: " + ", ".join(sorted(taken)))
    return 0 if len(taken) == 4 else 1


if __name__ == "__main__":
    sys.exit(main())
