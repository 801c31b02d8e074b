#!/usr/bin/env python3
"""Does Gatekeeper say what gpulint says? Its own program judges the cases of all rules by what `policy --format gatekeeper` writes.

usage: gatekeeper.py GPULINT GATOR [--rules LIST] [--show N]
Verdicts are compared as parity.py compares them: never an `extra`, nothing `severe`, no expression fails, and `missed` only of rules
whose policy.cel says `partly`. Objects come as a webhook gets them: of its own kinds the API server has filled in what containers
request.
"""
import argparse
import collections
import concurrent.futures
import copy
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import yaml

import cases
import parity

# Others are refused before anybody is asked.
API_OBJECT = {"apiVersion", "kind", "metadata"}
# Objects of built-in kinds with a value of a wrong type somewhere: an API server does not get as far as asking, and gator,
# which knows no kinds, asks all the same.
NOT_DECODED = ("misplaced-resources/cases/scalar-for-a-list.yaml", "non-string-value/cases/node-selector-and-labels.yaml",
               "non-string-value/cases/values-from-an-anchor.yaml")


def defaulted(value):
    """What a container limits, it requests, where the API server says so: in Pods."""
    value = copy.deepcopy(value)
    spec = value.get("spec")
    if value["kind"] == "Pod" and isinstance(spec, dict):
        for key in ("initContainers", "containers"):
            for container in spec.get(key) or []:
                resources = container.get("resources") or {}
                if resources.get("limits"):
                    resources["requests"] = {**resources["limits"], **(resources.get("requests") or {})}
    return value


def numbered(number, value):
    """With a uid by which the answer is told, and the name that every object in a cluster has."""
    metadata = dict(value.get("metadata") or {})
    metadata.setdefault("name", "x")
    metadata["uid"] = str(number)
    return {**defaulted(value), "metadata": metadata}


def constrained_kinds(written):
    """(group, kind) of what the constraints are asked about."""
    return {(group, kind) for one in yaml.load_all(written, yaml.CSafeLoader) if one and "match" in one["spec"]
            for match in one["spec"]["match"]["kinds"] for group in match["apiGroups"] for kind in match["kinds"]}


def is_asked(kinds, value):
    group = value.get("apiVersion", "").rpartition("/")[0]
    return (group, value["kind"]) in kinds


def ask(gator, written, objects):
    """{number: [verdict]}; a text where the program fell."""
    with tempfile.TemporaryDirectory() as folder:
        at = pathlib.Path(folder)
        (at / "policy.yaml").write_text(written)
        (at / "objects.yaml").write_text("\n---\n".join(map(json.dumps, objects)))
        ran = subprocess.run([gator, "test", "-f", at / "policy.yaml", "-f", at / "objects.yaml", "-o", "json"],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    try:
        results = json.loads(ran.stdout) or []
    except ValueError:
        return None, ran.stderr
    verdicts = collections.defaultdict(list)
    for one in results:
        number = one["violatingObject"]["metadata"]["uid"]
        verdicts[number].append({"policy": one["constraint"]["metadata"]["name"], "findings": one["msg"]})
    return verdicts, ran.stderr


def judge(gpulint, gator, path):
    """[(object with its place, what gpulint finds, verdicts)] of a case, and what went wrong."""
    objects = cases.read_objects(path)
    if not objects or "gpulint: ignore" in path.read_text() or str(path).endswith(NOT_DECODED):
        return None
    written = parity.run(gpulint, "policy", "--no-config", "--preview", "--quiet", "--deny", "facts", "--format", "gatekeeper", path.name,
                         folder=path.parent)
    if written.returncode != 0:
        sys.exit(f"{path}: gpulint policy: {written.stderr}")
    kinds = constrained_kinds(written.stdout)
    asked = [(number, value) for number, (_, _, value) in enumerate(objects) if API_OBJECT <= set(value)]
    verdicts, error = ask(gator, written.stdout, [numbered(number, value) for number, value in asked])
    if verdicts is None:
        return path, objects, [], error
    told = [verdicts.get(str(number), []) + ([{"policy": "", "findings": ""}] if is_asked(kinds, value) else [])
            for number, (_, _, value) in enumerate(objects)]
    return path, objects, told, ""


def compare_case(gpulint, rules, judged, counts, shown):
    path, objects, told, _ = judged
    said = parity.findings_by_object(gpulint, path, objects)
    for (line, _, value), findings, verdicts in zip(objects, said, told):
        says = parity.severities_by_rule(findings)
        where = f"{path.relative_to(parity.SOURCE)}:{line} {value['kind']}"
        for one in verdicts:
            if one["findings"] and not re.search(r"\[[a-z0-9-]+\]$", one["findings"]):
                shown.append(("error", "", where, one["findings"][-300:]))
        for rule in rules:
            result, text = parity.compare(rule, says.get(rule, []), verdicts)
            if result == "extra" and parity.is_told_alone(gpulint, path, rule, line, objects):
                result = "same"
            counts[rule][result] += 1
            if result in ("extra", "severe") or result == "missed" and not rules[rule]:
                shown.append((result, rule, where, text[:400]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("gpulint")
    parser.add_argument("gator")
    parser.add_argument("--rules")
    parser.add_argument("--show", type=int, default=40)
    options = parser.parse_args()
    gpulint, gator = (str(pathlib.Path(one).resolve()) for one in (options.gpulint, options.gator))
    rules = parity.policy_rules()
    if options.rules:
        rules = {rule: rules[rule] for rule in options.rules.split(",")}
    started = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = [one for one in pool.map(lambda path: judge(gpulint, gator, path), parity.case_files()) if one]
    counts, shown = collections.defaultdict(collections.Counter), []
    for judged in answers:
        if judged[3] and not judged[2]:
            shown.append(("error", "", str(judged[0].relative_to(parity.SOURCE)), judged[3][-400:]))
        else:
            compare_case(gpulint, rules, judged, counts, shown)
    for line in shown[:options.show]:
        print(*line)
    silent = [rule for rule in rules if not counts[rule]["same"]]
    print("\n".join(f"never told: {rule}" for rule in silent))
    total = sum((counts[rule] for rule in rules), collections.Counter())
    print(f"{sum(len(one[1]) for one in answers)} objects of {len(answers)} cases in {time.monotonic() - started:.0f} s: "
          + ", ".join(f"{key} {total[key]}" for key in sorted(total) if key))
    return 1 if shown or silent or not total["same"] else 0


if __name__ == "__main__":
    sys.exit(main())
