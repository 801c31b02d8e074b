#!/usr/bin/env python3
"""Does a kube-apiserver say what gpulint says? All rules' cases are applied to a real one as dry runs.

usage: server_parity.py GPULINT APISERVER [--show N]
1. Without policies: an object that gpulint passes is admitted, and one of which a finding says that the API server refuses
   it is refused.
2. With the policies of each case: a policy flags what gpulint flags, and never what it passes (`extra`); what it denies is an
   error to gpulint.
3. An update that leaves the pods as they are is let through.
tests/policy does the second by the API server's CEL compiler alone; here defaults, validation, admission, matching, bindings
and parameters are the server's.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import sys
import time

import yaml

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "policy"))

import completed as completing  # noqa: E402
import parity as by_compiler  # noqa: E402
import server as cluster  # noqa: E402

DRY = "?dryRun=All&fieldValidation=Strict"
# Findings that leave the API server no choice.
REFUSED = re.compile(r"API server (?:refuses|cannot read)")
BY_POLICY = "ValidatingAdmissionPolicy"
# What gpulint passes and a server refuses, and why that is right. Each is needed: one that no longer is fails the run.
PASSED_ON = {
    "fractional-gpu/cases/ok-shared-elsewhere.yaml": "a key for an anchor, which strict validation alone refuses",
    "input-limit/cases/ok-many-aliases.yaml": "keys for anchors",
    "invalid-toleration/cases/ok-taints-of-others-from-anchors.yaml": "keys for anchors",
    "misplaced-resources/cases/ok-anchors-and-single-values.yaml": "a key for an anchor",
    "alpha-gpu-api/cases/ok-anchored-zero.yaml": "a key for an anchor",
    "deprecated-dra-api/cases/ok-claims-named-directly.yaml": "a field of Kubernetes before 1.31",
    "invalid-object/cases/ok-plain-objects-of-others.yaml": "about no GPU",
    "invalid-object/cases/ok-runtime-class.yaml": "RuntimeClasses have other names here",
    "invalid-object/cases/ok-whole-huge-pages.yaml": "about no GPU",
    "invalid-toleration/cases/ok-taint-of-a-plain-node.yaml": "about no GPU",
    "invalid-object/cases/ok-strict-only.yaml": "an unknown field, which strict validation alone refuses",
    "invalid-object/cases/ok-names-to-be-filled-in.yaml": "names that somebody fills in",
    "invalid-toleration/cases/ok-not-about-gpus.yaml": "about no GPU",
    "non-string-value/cases/ok-cpu-only.yaml": "about no GPU",
}
SENTINEL = "alpha.kubernetes.io/nvidia-gpu"


def sentinel(name):
    """A pod that each policy that denies refuses: asked until it is in force."""
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name},
            "spec": {"containers": [{"name": "main", "image": "a/b:1", "resources": {"limits": {SENTINEL: "1"}}}]}}


class Asked:
    """One object of a case: what gpulint says of it and what the server did."""

    def __init__(self, case, line, value, findings):
        self.case, self.line, self.value = case, line, value
        self.findings = findings  # of gpulint: [(rule, severity, message)]
        self.object = completing.completed(value)
        self.is_cluster_wide = value["kind"] in completing.CLUSTER_WIDE
        self.status, self.message = 0, ""
        self.flagged = []  # [(rule, denies)]

    @property
    def where(self):
        return f"{self.case.path.relative_to(by_compiler.SOURCE)}:{self.line} {self.value['kind']}"

    def named(self, prefix=""):
        """With a name of its own, where all cases share one name space."""
        if not self.is_cluster_wide and not prefix:
            return self.object
        metadata = dict(self.object["metadata"])
        metadata["name"] = f"{prefix}{self.case.name}-{self.line}" if self.is_cluster_wide else prefix + metadata["name"]
        return {**self.object, "metadata": metadata}


class Case:
    def __init__(self, number, prepared):
        self.name = f"c{number}"
        self.path, question, findings, self.objects = prepared
        question = json.loads(question)
        self.policies, self.facts = question["policies"], question["params"]
        self.asked = [Asked(self, line, value, findings[i]) for i, (line, _, value) in enumerate(self.objects)]


def policies_named(text, name):
    """The policies of a text under names of their own, and those of the text as a key."""
    policies = [one for one in yaml.load_all(text, yaml.CSafeLoader) if one]
    for policy in policies:
        policy["metadata"]["name"] += f"-{name}"
    return policies


def bindings(policy, case, action):
    """The case's objects to the policy, with the case's facts: by name space, and those that are in none by name."""
    def bound(suffix, resources):
        return {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicyBinding",
                "metadata": {"name": f"{policy}-{case.name}{suffix}"},
                "spec": {"policyName": policy, "validationActions": [action], "matchResources": resources,
                         "paramRef": {"name": case.name, "parameterNotFoundAction": "Deny"}}}

    everything = {"operations": ["*"], "apiGroups": ["*"], "apiVersions": ["*"]}
    wide = {**everything, "resources": ["nodes", "deviceclasses"]}
    label = {"matchLabels": {"kubernetes.io/metadata.name": case.name}}
    made = [bound("", {"namespaceSelector": label, "excludeResourceRules": [wide]})]
    names = [one.named()["metadata"]["name"] for one in case.asked if one.is_cluster_wide]
    if names:
        made.append(bound("-wide", {"resourceRules": [{**wide, "resourceNames": names}]}))
    return made


def read_cases(gpulint):
    names = by_compiler.names_by_rule(gpulint)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        prepared = [one for one in pool.map(lambda path: by_compiler.prepare(gpulint, path, names), by_compiler.case_files()) if one]
    return [Case(number, one) for number, one in enumerate(prepared)]


def classes_named(cases):
    """The RuntimeClasses and PriorityClasses that pods of cases name: a pod is refused where there is none."""
    found = collections.defaultdict(set)

    def visit(value):
        if isinstance(value, dict):
            for key in ("runtimeClassName", "priorityClassName"):
                if isinstance(value.get(key), str) and re.fullmatch(r"[a-z0-9.-]+", value[key]):
                    found[key].add(value[key])
            value = list(value.values())
        for one in value if isinstance(value, list) else []:
            visit(one)

    for case in cases:
        for one in case.asked:
            visit(one.object)
    yield from ({"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "metadata": {"name": name}, "handler": name}
                for name in sorted(found["runtimeClassName"]))
    yield from ({"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": name}, "value": 1}
                for name in sorted(found["priorityClassName"]) if not name.startswith("system-"))


def ask_natively(client, cases):
    """Creates every object without policies; what was admitted stays, for updates."""
    for case in cases:
        client.apply([{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": case.name}}])
        for one in case.asked:
            one.status, answer = client.create(one.named(), case.name, "?fieldValidation=Strict")
            one.message = answer.get("message", "") if one.status >= 300 else ""


def judge_natively(cases):
    """What the server did that gpulint does not say, and what gpulint says that the server does not do."""
    wrong, counts, passed_on = [], collections.Counter(), set()
    for one in (one for case in cases for one in case.asked):
        path = str(one.case.path.relative_to(by_compiler.SOURCE / "rules"))
        says = [text for _, _, text in one.findings if REFUSED.search(text)]
        is_refused = one.status not in (201, 409)
        if one.status == 404:
            counts["not served"] += 1
        elif is_refused and not one.findings and path in PASSED_ON:
            passed_on.add(path)
        elif is_refused and not one.findings:
            wrong.append(("silent", one.where, one.message))
        elif says and not is_refused and one.status == 201:
            wrong.append(("admitted", one.where, says[0]))
        else:
            counts["refused" if is_refused else "admitted"] += 1
    wrong += [("stale", path, "is no longer refused: take it out of PASSED_ON") for path in sorted(set(PASSED_ON) - passed_on)]
    return wrong, counts


def apply_policies(client, cases):
    """Applies each policy once, bound to each case that has it; waits until the last is in force."""
    known = {}
    for case in cases:
        if case.facts:
            facts = {**case.facts, "metadata": {"name": case.name}}
            client.apply([facts])
        if case.policies not in known:
            known[case.policies] = policies_named(case.policies, len(known))
            client.apply(known[case.policies])
        # What denies last: where it is in force, the other is.
        for policy in reversed(known[case.policies]):
            denies = policy["metadata"]["name"].startswith("gpulint-deny")
            client.apply(bindings(policy["metadata"]["name"], case, "Deny" if denies else "Warn"))
    for case in {case.policies: case for case in cases}.values():
        cluster.wait_for(f"the policies of {case.path}", lambda case=case: is_in_force(client, case))
    return len(known)


def is_in_force(client, case):
    status, answer = client.create(sentinel("sentinel"), case.name, "?dryRun=All")
    return status == 422 and "[alpha-gpu-api]" in answer["message"]


def ask_policies(client, cases):
    for case in cases:
        for one in case.asked:
            if one.status not in (201, 409):
                continue
            status, answer = client.create(one.named("again-"), case.name, DRY)
            denied = answer.get("message", "") if status >= 300 else ""
            if denied and BY_POLICY not in denied:
                one.status = status
                continue
            one.flagged = [{"policy": policy, "findings": text}
                           for policy, text in [("gpulint-deny", denied)] + [("gpulint-warn", text) for text in client.warnings]
                           if BY_POLICY in text]  # the server warns of things of its own
            one.flagged.append({"policy": "", "findings": ""})  # it has been asked


def compare(gpulint, cases, rules):
    """{rule: counts}, and a line for each verdict that is none of gpulint's."""
    counts, shown = collections.defaultdict(collections.Counter), []
    for one in (one for case in cases for one in case.asked if one.flagged):
        says = by_compiler.severities_by_rule(one.findings)
        texts = [each["findings"] for each in one.flagged]
        shown += [("error", "", one.where, text[:400]) for text in texts if text and not re.search(r"\[[a-z0-9-]+\]", text)]
        for rule in rules:
            result, text = by_compiler.compare(rule, says.get(rule, []), one.flagged)
            if result == "extra" and by_compiler.is_told_alone(gpulint, one.case.path, rule, one.line, one.case.objects):
                result = "same"
            counts[rule][result] += 1
            if result in ("error", "extra", "severe") or result == "missed" and not rules[rule]:
                shown.append((result, rule, one.where, text[:400]))
    return counts, shown


def update_all(client, cases):
    """What is said of an update that leaves the pods of an admitted object as they are: nothing."""
    wrong, count = [], 0
    for case in cases:
        for one in case.asked:
            if one.status != 201 or not one.flagged or one.is_cluster_wide:
                continue
            value = by_compiler.scaled(one.object)
            if value["kind"] in ("Pod", "Job", "CronJob", "DaemonSet", "PodTemplate"):
                (value.get("spec") or {}).pop("replicas", None)
            status, answer = client.replace(value, case.name, "?dryRun=All")
            text = answer.get("message", "") if status >= 300 else " ".join(client.warnings)
            count += status == 200
            if BY_POLICY in text:
                wrong.append(("update", "", one.where, text[:300]))
    return wrong, count


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("gpulint")
    parser.add_argument("apiserver")
    parser.add_argument("--show", type=int, default=60)
    options = parser.parse_args()
    gpulint = str(pathlib.Path(options.gpulint).resolve())
    rules = by_compiler.policy_rules()
    cases = read_cases(gpulint)
    with cluster.running(options.apiserver) as server:
        client = server.client
        started = time.monotonic()
        definition = next(one for one in yaml.safe_load_all(facts_text(gpulint)) if one["kind"] == "CustomResourceDefinition")
        client.apply([definition, *classes_named(cases)])
        ask_natively(client, cases)
        unsaid, natively = judge_natively(cases)
        cluster.wait_for("GpuFacts", lambda: server.forget_and_ask(next(case.facts for case in cases if case.facts)))
        variants = apply_policies(client, cases)
        ask_policies(client, cases)
        counts, shown = compare(gpulint, cases, rules)
        updated, updates = update_all(client, cases)
        seconds = time.monotonic() - started
    for line in (unsaid + shown + updated)[:options.show]:
        print(*line)
    total = sum((counts[rule] for rule in rules), collections.Counter())
    print(f"{sum(len(case.asked) for case in cases)} objects of {len(cases)} cases in {seconds:.0f} s; without policies: "
          + ", ".join(f"{key} {natively[key]}" for key in sorted(natively)))
    print(f"with {variants} variants of the policies: " + ", ".join(f"{key} {total[key]}" for key in sorted(total) if key)
          + f"; {updates} updates let through")
    return 1 if unsaid or shown or updated or not total["same"] or not updates else 0


def facts_text(gpulint):
    folder = by_compiler.SOURCE / "testdata/showcase"
    return by_compiler.run(gpulint, "policy", "--no-config", "--quiet", "--facts", "crd", "nodes.yaml", folder=folder).stdout


if __name__ == "__main__":
    sys.exit(main())
