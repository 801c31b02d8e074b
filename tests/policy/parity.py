#!/usr/bin/env python3
"""Do the admission policies say what gpulint says? The API server's own CEL decides over the cases of all rules.

usage: parity.py GPULINT JUDGE [--rules LIST] [--show N]
JUDGE is the program of this folder. For each case the nodes become policies, each object is judged by them, and the verdict of
every rule is compared with `gpulint check`:
- extra: a policy flags what gpulint passes. There are none.
- severe: a policy denies what gpulint calls no error. There are none.
- error: an expression fails on an object. There are none.
- missed: gpulint flags what a policy passes. Only of rules whose policy.cel says `partly`.
- unreached: the same of an object of a kind or version that no policy is asked about.
An update that leaves the pods as they are is let through, an annotation with an older id ignores a rule, and what `--format map`
mends is no longer flagged.
"""
import argparse
import collections
import concurrent.futures
import copy
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import yaml

import cases

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
# The rules of which a MutatingAdmissionPolicy mends something, and the kinds that it does that for.
MENDED = sorted(path.parent.name for path in (SOURCE / "rules").glob("*/policy.cel") if "\nmutation:" in path.read_text())
BUILT_IN = ("Pod", "Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job", "CronJob", "ReplicationController")
CATEGORIES = ("reading", "flyte", "placement", "partition", "resources", "deprecated", "operators", "gpulint")
VERSIONS = [f"1.{minor}" for minor in range(28, 38)]
# Of 1,000,000 that one expression may cost, and 10,000,000 that a policy may: both policies together over one object.
MOST_COST = 200_000


def policy_rules():
    """Of each rule with a policy: whether it is one in part."""
    rules = {}
    for path in sorted((SOURCE / "rules").glob("*/policy.cel")):
        lines = path.read_text().splitlines()
        if any(line.startswith("finding:") for line in lines):
            rules[path.parent.name] = any(line.startswith("partly:") for line in lines)
    return rules


def run(gpulint, *arguments, folder):
    return subprocess.run([gpulint, *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)


def case_files():
    return sorted(path for pattern in ("yaml", "yml", "json") for path in (SOURCE / "rules").glob(f"*/cases/*.{pattern}"))


def scaled(value):
    """The same object with another number of replicas, and an annotation."""
    value = copy.deepcopy(value)
    value["metadata"]["annotations"] = {**(value["metadata"].get("annotations") or {}), "example.com/changed": "yes"}
    spec = value.get("spec")
    if isinstance(spec, dict) and value["kind"] not in ("Node", "ResourceQuota", "ResourceClaim", "ResourceClaimTemplate", "DeviceClass"):
        spec["replicas"] = 7
        for group in spec.get("workerGroupSpecs") or []:
            group["replicas"] = 7
    return value


def split_facts(text):
    """The policies, which are the same for most cases, and the object with the facts."""
    documents = text.split("---\n")
    facts = [one for one in documents if "\nkind: GpuFacts\n" in one]
    policies = [one for one in documents if "\nkind: ValidatingAdmissionPolicy\n" in one]
    return "---\n".join(policies), yaml.load(facts[0], yaml.CSafeLoader) if facts else None


def findings_by_object(gpulint, path, objects):
    """What gpulint finds in each of the objects: [(rule, severity, message)]."""
    checked = run(gpulint, "check", "--no-config", "--preview", "--format", "json", path.name, folder=path.parent)
    findings = [one for one in json.loads(checked.stdout)["diagnostics"] if one["file"] == path.name]
    return [[(one["id"], one["severity"], one["message"]) for one in findings
             if first <= one["range"]["start"]["line"] <= last] for first, last, _ in objects]


def ignored(value, names):
    """The same object with these names in the annotation that ignores rules."""
    value = copy.deepcopy(value)
    value["metadata"]["annotations"] = {**(value["metadata"].get("annotations") or {}), "gpulint.dev/ignore": ", ".join(names)}
    return value


def names_by_rule(gpulint):
    """The last name by which each rule can be ignored: an older id if it has one."""
    rules = json.loads(run(gpulint, "rules", "--format", "json", folder=SOURCE).stdout)["rules"]
    return {one["id"]: [one["id"], *one.get("aliases", [])][-1] for one in rules}


def prepare(gpulint, path, names):
    """The question about a case and what gpulint says of its objects; nothing where it holds none."""
    objects = cases.read_objects(path)
    if not objects or "gpulint: ignore" in path.read_text():  # comments do not reach an API server
        return None
    written = run(gpulint, "policy", "--no-config", "--preview", "--quiet", "--deny", "facts", "--facts", "crd", path.name, folder=path.parent)
    if written.returncode != 0:
        sys.exit(f"{path}: gpulint policy: {written.stderr}")
    said = findings_by_object(gpulint, path, objects)
    policies, params = split_facts(written.stdout)
    asked = [{"object": value} for _, _, value in objects]
    asked += [{"object": scaled(value), "old": value} for _, _, value in objects]
    asked += [{"object": ignored(value, [names[rule] for rule, _, _ in told])} for (_, _, value), told in zip(objects, said)]
    question = {"policies": policies, "params": params, "objects": asked}
    return path, json.dumps(question), said, objects


def is_told_alone(gpulint, path, rule, kept, objects):
    """Whether gpulint says it of the object where no other workload is there: one finding may stand for several objects."""
    lines = path.read_text().splitlines()
    for first, last, value in objects:
        if first != kept and value["kind"] not in ("Node",):
            lines[first - 1:last] = [line if line == "---" else "" for line in lines[first - 1:last]]
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / path.name).write_text("\n".join(lines) + "\n")
        checked = run(gpulint, "check", "--no-config", "--preview", "--format", "json", "--select", rule, path.name, folder=folder)
    return any(one["id"] == rule for one in json.loads(checked.stdout)["diagnostics"])


def judge_all(judge, questions):
    process = subprocess.run([judge], input="\n".join(questions) + "\n", stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line) for line in process.stdout.splitlines()]


def severities_by_rule(findings):
    by_rule = collections.defaultdict(list)
    for rule, severity, _ in findings:
        by_rule[rule].append(severity)
    return by_rule


def compare(rule, says, verdicts):
    """What the policies' verdict on one object is beside gpulint's, and the policy's text."""
    tells = [one for one in verdicts if f"[{rule}]" in one["findings"]]
    if tells and not says:
        return "extra", tells[0]["findings"]
    if tells and tells[0]["policy"] == "gpulint-deny" and "error" not in says:
        return "severe", tells[0]["findings"]
    if says and not tells:
        return ("missed" if verdicts else "unreached"), ""
    return ("same" if says else ""), ""


def compile_everywhere(gpulint, judge):
    """What does not compile in some release, of the policies for nodes of every kind."""
    nodes = SOURCE / "testdata/showcase"
    written = run(gpulint, "policy", "--no-config", "--quiet", "nodes.yaml", folder=nodes)
    return judge_all(judge, [json.dumps({"policies": written.stdout, "versions": VERSIONS})])[0]["errors"]


def fixed_objects(gpulint, path):
    """The objects of a case as `gpulint fix` leaves them."""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / path.name).write_bytes(path.read_bytes())
        run(gpulint, "fix", "--no-config", "--quiet", "--select", ",".join(MENDED), path.name, folder=folder)
        return [value for _, _, value in cases.read_objects(pathlib.Path(folder) / path.name)]


def is_between(result, before, after):
    """Whether each part of the result is as it was before, or as it is afterwards."""
    if result in (before, after):
        return True
    if all(isinstance(one, dict) for one in (result, before, after)):
        return all(is_between(result.get(key), before.get(key), after.get(key)) for key in {*result, *before, *after})
    return all(isinstance(one, list) and len(one) == len(result) for one in (result, before, after)) \
        and all(is_between(*parts) for parts in zip(result, before, after))


def mend_all(gpulint, judge, prepared):
    """What is wrong with what `--format map` makes of the objects, a text for each: it is what `gpulint fix` makes of them, or a part of
    that. All requests without a limit are mended; of every other rule some."""
    wrong = []
    showcase = SOURCE / "testdata/showcase"
    written = run(gpulint, "policy", "--no-config", "--quiet", "--format", "map", "nodes.yaml", folder=showcase)
    denied = run(gpulint, "policy", "--no-config", "--quiet", "--select", ",".join(MENDED), "nodes.yaml", folder=showcase)
    subjects = [(path, value, fixed) for path, _, _, found in prepared
                for (_, _, value), fixed in zip(found, fixed_objects(gpulint, path)) if value["kind"] in BUILT_IN]
    objects = [{"object": value} for _, value, _ in subjects]
    mended = judge_all(judge, [json.dumps({"mutations": written.stdout, "objects": objects})])[0]["objects"]
    ask = [json.dumps({"policies": denied.stdout, "objects": one}) for one in (objects, [{"object": value} for value in mended])]
    before, after = (answer["verdicts"] for answer in judge_all(judge, ask))
    count = collections.Counter()
    for (path, value, fixed), result, old, new in zip(subjects, mended, before, after):
        flagged, still = ({rule for rule in MENDED if any(f"[{rule}]" in one["findings"] for one in verdicts)} for verdicts in (old, new))
        count.update(flagged - still)
        # Parts of a device are no one's to round, and of an amount that is left empty nobody knows what was meant.
        if any("without a limit" in one["findings"] for one in new) and "fraction" not in path.stem and path.stem != "no-amount":
            wrong.append(f"map: {path.relative_to(SOURCE)} {value['kind']}: not mended")
        if old and not is_between(result, *(json.loads(json.dumps(one)) for one in (value, fixed))):
            wrong.append(f"map: {path.relative_to(SOURCE)} {value['kind']}: is {json.dumps(result)}, not {json.dumps(fixed)}")
    return wrong + [f"map: mended nothing of {rule}" for rule in MENDED if not count[rule]]


def compare_own(gpulint, judge):
    """The user's own policies of the cases of `policy`, likewise: a text for each object of which the two differ."""
    wrong, same = [], 0
    for folder in sorted(path.parent for path in (SOURCE / "rules/policy/cases").glob("*/gpulint.yaml")):
        config = yaml.safe_load((folder / "gpulint.yaml").read_text())
        written = run(gpulint, "policy", "--quiet", "--ignore", ",".join(CATEGORIES), ".", folder=folder)
        if written.returncode != 0 or "scopes" in config:
            continue
        checked = json.loads(run(gpulint, "check", "--format", "json", ".", folder=folder).stdout)["diagnostics"]
        for path in sorted(folder.glob("*.yaml")):
            objects = cases.read_objects(path) if path.name != "gpulint.yaml" else []
            question = {"policies": written.stdout, "objects": [{"object": value} for _, _, value in objects]}
            answers = judge_all(judge, [json.dumps(question)])[0]["verdicts"]
            for (first, last, value), verdicts in zip(objects, answers):
                for own in config["policies"]:
                    says = any(one["id"] == own["id"] and one["file"] == path.name and first <= one["range"]["start"]["line"] <= last
                               for one in checked)
                    tells = any(f"[{own['id']}]" in one["findings"] for one in verdicts)
                    failed = [one["error"][-200:] for one in verdicts if "error" in one]
                    same += says and tells
                    if failed or verdicts and says != tells:
                        wrong.append(f"own policy {own['id']}: {path.relative_to(SOURCE)}:{first} {value['kind']}: gpulint {says}, "
                                     f"policy {tells} {failed}")
    return wrong if same else wrong + ["own policies: none was compared"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("gpulint")
    parser.add_argument("judge")
    parser.add_argument("--rules")
    parser.add_argument("--show", type=int, default=40)
    options = parser.parse_args()
    gpulint, judge = (str(pathlib.Path(one).resolve()) for one in (options.gpulint, options.judge))
    rules = policy_rules()
    if options.rules:
        rules = {rule: rules[rule] for rule in options.rules.split(",")}
    errors = compile_everywhere(gpulint, judge)
    print("\n".join(errors) or f"compiles for Kubernetes {VERSIONS[0]} to {VERSIONS[-1]}")
    names = names_by_rule(gpulint)
    started = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        prepared = [one for one in pool.map(lambda path: prepare(gpulint, path, names), case_files()) if one]
    asked = time.monotonic()
    answers = judge_all(judge, [question for _, question, _, _ in prepared])
    told = time.monotonic()
    own = compare_own(gpulint, judge)
    print("\n".join(own) or "the user's own policies say the same")
    unmended = mend_all(gpulint, judge, prepared)
    print("\n".join(unmended) or f"{MENDED}: what is mended is no longer flagged, all else stays as it is")
    counts = collections.defaultdict(collections.Counter)
    shown, broken, dearest, objects = [], 0, (0, ""), 0
    for (path, _, said, found), answer in zip(prepared, answers):
        of_updates, of_ignored = answer["verdicts"][len(found):2 * len(found)], answer["verdicts"][2 * len(found):]
        for (line, _, value), findings, updated, silent in zip(found, said, of_updates, of_ignored):
            wrong = ["an update of replicas is checked" for one in updated if one["matched"] or "error" in one]
            wrong += [f"{rule} is ignored and told" for rule in {rule for rule, _, _ in findings}
                      if any(f"[{rule}]" in one["findings"] for one in silent)]
            shown += [("error", "", f"{path.relative_to(SOURCE)}:{line} {value['kind']}", text) for text in wrong]
            broken += len(wrong)
        for (line, _, value), findings, verdicts in zip(found, said, answer["verdicts"]):
            objects += 1
            says = severities_by_rule(findings)
            where = f"{path.relative_to(SOURCE)}:{line} {value['kind']}"
            dearest = max(dearest, (sum(one["cost"] for one in verdicts), where))
            for one in verdicts:
                if "error" in one:
                    broken += 1
                    shown.append(("error", "", where, one["error"][-200:]))
            for rule in rules:
                result, text = compare(rule, says.get(rule, []), verdicts)
                if result == "extra" and is_told_alone(gpulint, path, rule, line, found):
                    result = "same"
                counts[rule][result] += 1
                if result in ("extra", "severe") or result in ("missed", "unreached") and rule == path.parts[-3]:
                    shown.append((result, rule, where, text))
    failed = errors or own or unmended or broken or dearest[0] > MOST_COST
    for rule, partly in rules.items():
        count = counts[rule]
        wrong = count["extra"] or count["severe"] or (count["missed"] and not partly) or not count["same"]
        failed = failed or wrong
        print(f"{'FAILED' if wrong else 'ok':6} {rule:40} {'partly' if partly else '':6} "
              + ", ".join(f"{key} {count[key]}" for key in ("same", "missed", "unreached", "extra", "severe") if count[key]))
    order = {"error": 0, "extra": 1, "severe": 2, "missed": 3, "unreached": 4}
    for line in sorted(shown, key=lambda one: (order[one[0]], one))[:options.show]:
        print(*line)
    print(f"{objects} objects of {len(prepared)} cases: prepared in {asked - started:.1f} s, judged in {told - asked:.1f} s; "
          f"errors {broken}; the dearest object costs {dearest[0]} units: {dearest[1]}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
