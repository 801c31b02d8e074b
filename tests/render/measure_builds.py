"""Measures `gpulint check --render` on the kustomizations of overlays.txt.

Usage: measure_builds.py GPULINT RENDERER CLONES [PART_OF_NAME]
CLONES as for measure.py. Needs PyYAML.

All pods of a repository get mistakes, in bases and in patches. A finding is right if its line alone, changed, changes the scalar that
it names in the built object.
"""
import collections
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import yaml
from measure import changes_of, run_gpulint, text_at

MOST = 6  # kustomizations of one repository
KINDS = ("Deployment", "StatefulSet", "DaemonSet", "Job", "CronJob", "ReplicaSet", "Pod")
NAMES = ("kustomization.yaml", "kustomization.yml", "Kustomization")
SUFFIXES = (".yaml", ".yml", "Kustomization", ".env", ".json", ".txt", ".conf", ".properties", ".sh")
GENERATED = "configMapGenerator"


class Builder:
    """gpulint-render."""

    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def build(self, root, folder, files):
        """The built pods; None if kustomize refuses."""
        request = {"id": 1, "kustomization": str(root / folder), "root": str(root), "files": {str(root / name): text for name, text in files.items()}}
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            return None
        documents = re.split(r"^---\n", answer["templates"][0]["text"], flags=re.M)
        return "---\n".join(each for each in documents if re.search(rf"^kind: ({'|'.join(KINDS)})$", each, re.M))


def pod_of(document):
    """The pod of a workload or of a patch; None if there is none."""
    if not isinstance(document, dict) or document.get("kind") not in KINDS or not isinstance(document.get("spec"), dict):
        return None
    spec = document["spec"]
    if document["kind"] == "CronJob":
        spec = ((spec.get("jobTemplate") or {}).get("spec") or {})
    pod = spec if document["kind"] == "Pod" else (spec.get("template") or {}).get("spec")
    return pod if isinstance(pod, dict) and isinstance(pod.get("containers"), list) else None


def sow(path, count):
    """Writes mistakes into the pods of a file."""
    try:
        text = path.read_text()
        documents = list(yaml.safe_load_all(text)) if "containers" in text and "openAPIV3Schema" not in text else []
    except (yaml.YAMLError, UnicodeDecodeError):
        return
    pods = [pod for pod in map(pod_of, documents) if pod]
    for pod in pods:
        for container in pod["containers"]:
            if not isinstance(container, dict):
                continue
            resources = container["resources"] = container.get("resources") or {}
            resources["limits"] = (resources.get("limits") or {}) | {"nvidia.com/gpu": 1.5 + next(count)}
        if "tolerations" not in pod:
            pod["tolerations"] = [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedul"}]
    if pods:
        path.write_text(yaml.safe_dump_all(documents, sort_keys=False))


def choose(builder, root):
    """Some kustomizations that kustomize builds, with pods."""
    named = sorted(path.parent.relative_to(root) for path in root.rglob("*") if path.name in NAMES and path.is_file())
    overlays = [folder for folder in named if re.search(r"overlay|environments|\benv\b|default|/(prod|dev|test)", str(folder))] or named
    chosen = []
    for folder in overlays[::max(1, len(overlays) // 60)]:
        if any(str(folder).startswith(f"{each}/") or str(each).startswith(f"{folder}/") for each in chosen):
            continue
        text = builder.build(root, folder, {})
        if text:
            chosen.append(folder)
        if len(chosen) == MOST:
            break
    return chosen


def judge(builder, root, folder, finding):
    place = finding["rendered"]
    before = text_at({"": builder.build(root, folder, {})}, place)
    if before is None:
        return "not tried: " + place["object"] + " " + place["path"]
    verdict = "not tried"
    for changed in changes_of((root / finding["file"]).read_text(), finding):
        text = builder.build(root, folder, {finding["file"]: changed})
        if text is None:
            continue
        if text_at({"": text}, place) != before:
            return "right"
        verdict = "wrong"
    return verdict


def measure_one(gpulint, program, builder, root, folder):
    path = next(root / folder / name for name in NAMES if (root / folder / name).is_file())
    text = path.read_text()
    if GENERATED not in text:
        path.write_text(text.rstrip("\n") + f"\n{GENERATED}: [{{name: measured, literals: [a=b]}}]\n")
    try:
        report, renders, seconds = run_gpulint(gpulint, program, root, [str(folder)])
    finally:
        path_text = path.read_text()
    findings = [each for each in report["diagnostics"] if "decidedBy" in each]
    result = collections.Counter(each["decidedBy"] for each in findings)
    for each in findings:
        if each["decidedBy"] == "file":
            print(f"  unknown: {each['id']} {each['message']} {each['rendered']}")
            continue
        verdict = judge(builder, root, folder, each)
        result[verdict.split(":")[0]] += 1
        if verdict != "right":
            print(f"  {verdict}: {each['id']} {each['file']}:{each['range']['start']['line']} {each['rendered']}")
    result.update(findings=len(findings), fixes=sum(each["fix"] is not None for each in findings))
    print(f"  {folder}: {dict(result)}, {renders} renders, {seconds:.2f} s", *(each["why"] for each in report["read"]["notRead"]), flush=True)
    path.write_text(path_text if GENERATED in text else text)
    return result, renders, seconds


def extract(clone, commit, root):
    """Writes the small text files of a commit. The clone may lack some."""
    tree = subprocess.run(["git", "-C", clone, "ls-tree", "-rz", commit], capture_output=True, text=True, check=True).stdout
    entries = [entry.split("\t") for entry in tree.split("\0") if entry.endswith(SUFFIXES)]
    regular = [(fields.split()[2], name) for fields, name in entries if fields.startswith("100")]
    asked = "".join(f"{blob}\n" for blob, _ in regular).encode()
    answer = subprocess.run(["git", "-C", clone, "cat-file", "--batch"], input=asked, capture_output=True, check=True).stdout
    at = 0
    for _, name in regular:
        end = answer.index(b"\n", at)
        words = answer[at:end].split()
        at = end + 1
        if words[1] == b"missing":
            continue
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(answer[at:at + int(words[2])])
        at += int(words[2]) + 1


def measure(gpulint, program, clones, line):
    repository, commit = line.split()
    print(repository, flush=True)
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name).resolve()
        clone = clones / repository.replace("/", "+") / "repo"
        extract(clone, commit, root)
        builder = Builder(program)
        chosen = choose(builder, root)
        count = iter(range(1, 1_000_000))
        for path in sorted([*root.rglob("*.yaml"), *root.rglob("*.yml")]):
            if path.is_file() and not path.is_symlink():
                sow(path, count)
        results = [measure_one(gpulint, program, builder, root, folder) for folder in chosen if builder.build(root, folder, {})]
        builder.process.stdin.close()
        return results


def main():
    gpulint, program, clones = map(os.path.abspath, sys.argv[1:4])
    part = sys.argv[4:]
    lines = (pathlib.Path(__file__).parent / "overlays.txt").read_text().splitlines()
    results = [result for line in lines if not line.startswith("#") and (not part or part[0] in line)
               for result in measure(gpulint, program, pathlib.Path(clones), line)]
    total = sum((result for result, _, _ in results), collections.Counter())
    print(f"{len(results)} kustomizations: {dict(total)}; renders: median {statistics.median(renders for _, renders, _ in results)}, "
          f"most {max(renders for _, renders, _ in results)}; processor time: most {max(seconds for _, _, seconds in results):.2f} s")


if __name__ == "__main__":
    main()
