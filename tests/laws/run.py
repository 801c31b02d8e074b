#!/usr/bin/env python3
"""One verdict, over clusters made at random (clusters.py).

usage: run.py GPULINT [--count N] [--seed SEED] [--show N] [--keep FOLDER]

- `place` and `why` say the same of each workload, with the same reasons at the same places.
- A workload that concerns GPUs and does not run has a finding of `check`, with the same reason. A workload that does not run by
  `check` does not fit by `place`.
- A workload for which `why --fix` writes a change runs then. `fix --unsafe-fixes` stops no workload that runs.

Exits with 1 and prints the workloads if a law does not hold. The same seed makes the same clusters again.
"""
import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

import clusters

# Clusters that one process reads, each a scope of its own.
BATCH = 50
GATES = {"admission", "quota", "queue", "device", "node", "topology", "capacity"}
SELECTION = {"node-selector", "node-affinity", "node-affinity-error"}
# Rules that say that a workload does not run, with the reasons that they name.
RULES = {
    "bound-to-unfit-node": {"node"},
    "contradictory-node-affinity": SELECTION,
    "exceeds-quota": {"quota"},
    "gpu-demand-exceeds-nodes": {"capacity"},
    "invalid-node-selector-requirement": SELECTION | {"invalid"},
    "invalid-toleration": {"invalid"},
    "no-node-fits": SELECTION | {"topology", "insufficient-resource", "untolerated-taint"},
    "queue-never-admits": {"queue"},
    "invalid-object": {"invalid", "admission"},
    "request-exceeds-node": {"insufficient-resource"},
    "resource-not-offered": {"insufficient-resource"},
    "unmatched-node-selector": SELECTION,
    "untolerated-taint": {"untolerated-taint"},
}
VERDICTS = {True: "fits", False: "does not fit", None: "unknown"}


class Program:
    def __init__(self, path):
        self.path = str(pathlib.Path(path).resolve())

    def run(self, *words, folder):
        ran = subprocess.run([self.path, *words], cwd=folder, capture_output=True, text=True, timeout=600, check=False)
        if ran.returncode < 0:
            sys.exit(f"gpulint {' '.join(words)}: status {ran.returncode}\n{ran.stderr}")
        return ran

    def read(self, command, *words, folder, given="."):
        """Its JSON, empty where it has nothing to work on. Without a join each file is a cluster."""
        return json.loads(self.run(command, "--no-config", "--no-join", "--format", "json", *words, given, folder=folder).stdout or "{}")


def line_of(place):
    return place and place["range"] and place["range"]["start"]["line"]


def term_of(kind, certain, part, demanded):
    """A reason of one node, as both commands print it. `why` has the place of one node of a group."""
    return kind, certain, part.get("key") or "", str(part.get("actual")), line_of(part.get(demanded))


class Verdict:
    """What `place` says of a workload on all nodes."""

    def __init__(self, cells):
        self.is_valid = all(cell["valid"] for cell in cells)
        said = {cell["fits"] for cell in cells}
        self.fits = self.is_valid and (True if True in said else None if None in said else False)
        self.gates, self.terms, self.kinds = set(), {}, set() if self.is_valid else {"invalid"}
        for cell in cells:
            terms = self.terms[cell["node"]] = set()
            for reason in cell["reasons"]:
                kind, certain = reason["kind"], reason.get("certain", True)
                self.kinds.add(kind)
                if kind in GATES:
                    self.gates.add((kind, certain, reason["detail"], line_of(reason.get("demanded"))))
                else:
                    terms |= {term_of(kind, certain, part, "demanded") for part in reason.get("terms", [reason])}
        # A state that ends by itself is no flaw of the files.
        passes = any(cell["reasons"] and all(reason.get("transient") for reason in cell["reasons"]) for cell in cells)
        is_stopped = not self.is_valid or any(certain for _, certain, _, _ in self.gates)
        self.is_certain = is_stopped or self.fits is False and not passes


def told_by_place(results):
    cells = collections.defaultdict(list)
    for cell in results:
        cells[cell["workload"]].append(cell)
    return {name: Verdict(found) for name, found in cells.items()}


def compare_fits(verdict, story):
    """What `why` says otherwise than `place` of whether a workload runs, and of what stops it before the nodes."""
    fits = story["fits"] if story else True
    if fits is not verdict.fits:
        yield f"place: {VERDICTS[verdict.fits]}; why: {VERDICTS[fits]}"
    if story is None:
        return
    gates = {(one["gate"], one["certain"], one["reason"], line_of(one["demandedBy"])) for one in story.get("obstacles", [])}
    if gates != verdict.gates:
        yield f"place: gates {sorted(verdict.gates - gates)}; why: {sorted(gates - verdict.gates)}"


def terms_by_node(story):
    """The reasons that `why` has for each node."""
    for group in story["groups"] if story else []:
        terms = {term_of(term["kind"], term.get("certain", True), term, "demandedBy") for term in group["terms"]}
        for node in group["nodes"]:
            yield node, terms


def compare_why(verdict, story):
    """What `why` says otherwise than `place`."""
    yield from compare_fits(verdict, story)
    for node, terms in terms_by_node(story):
        if node not in verdict.terms:
            yield f"why: {node} is no node of place"
        elif terms != verdict.terms[node]:
            yield f"{node}: place {sorted(verdict.terms[node] - terms, key=str)}; why {sorted(terms - verdict.terms[node], key=str)}"


def concerns_gpus(workload):
    pod = workload["pod"]
    return any("gpu" in name or "/mig-" in name for container in pod["containers"]
               for amounts in container.get("resources", {}).values() for name in amounts)


def compare_check(name, verdict, workload, findings):
    """What `check` says otherwise than `place`."""
    about = [one for one in findings if one["severity"] != "info"]
    told = [one for one in about if one["id"] in RULES]
    if verdict.is_certain and concerns_gpus(workload) and not about:
        yield f"place: does not run ({', '.join(sorted(verdict.kinds))}); check is silent"
    for one in told:
        if verdict.fits and not verdict.gates:
            yield f"place: fits; check: {one['id']}: {one['message']}"
        elif one["severity"] == "error" and verdict.fits is not False:
            yield f"place: {VERDICTS[verdict.fits]}; check has the error {one['id']}: {one['message']}"
        elif not RULES[one["id"]] & verdict.kinds:
            yield f"place: {', '.join(sorted(verdict.kinds))}; check: {one['id']}: {one['message']}"


def is_about(finding, file, first, last):
    places = [finding, *finding["related"]]
    return any(one["file"] == file and first <= one["range"]["start"]["line"] <= last for one in places)


def compare_readers(program, batch, folder):
    """What commands say otherwise of a workload: (cluster, workload, what)."""
    for cluster in batch:
        (folder / f"{cluster.name}.yaml").write_text(cluster.text())
    placed = told_by_place(program.read("place", folder=folder)["results"])
    stories = {story["workload"]: story for story in program.read("why", folder=folder)["workloads"]}
    by_file = collections.defaultdict(list)
    for finding in program.read("check", folder=folder)["diagnostics"]:
        by_file[finding["file"]].append(finding)
    for cluster in batch:
        file = f"{cluster.name}.yaml"
        for workload, first, last in cluster.places():
            name = f"{workload['kind']}/{cluster.name}/{workload['name']}"
            findings = [one for one in by_file[file] if is_about(one, file, first, last)]
            for what in (*compare_why(placed[name], stories.get(name)), *compare_check(name, placed[name], workload, findings)):
                yield cluster, name, what


def compare_changes(program, cluster, folder):
    """What does not run after changes that gpulint wrote: (cluster, workload, what)."""
    file = folder / "cluster.yaml"
    text = cluster.text()

    def after(*words):
        file.write_text(text)
        program.run(*words, "--no-config", file.name, folder=folder)
        return file.read_text() != text, told_by_place(program.read("place", folder=folder, given=file.name)["results"])

    _, before = after("check")
    for name, verdict in before.items():
        is_changed, verdicts = after("why", "--fix", "--workload", name) if verdict.fits is False else (False, before)
        if is_changed and verdicts[name].fits is False:
            yield cluster, name, "does not run after why --fix"
    _, verdicts = after("fix", "--unsafe-fixes")
    for name, verdict in before.items():
        if verdict.fits is not False and verdicts[name].fits is False:
            yield cluster, name, f"{VERDICTS[verdict.fits]}, but not after fix --unsafe-fixes"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("gpulint")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--show", type=int, default=40)
    parser.add_argument("--keep", help="write the clusters to this folder")
    options = parser.parse_args()
    program = Program(options.gpulint)
    made = clusters.make_clusters(options.count, options.seed)
    print(f"seed {options.seed}: {len(made)} clusters, {sum(cluster.flaw is not None for cluster in made)} with a flaw")
    with tempfile.TemporaryDirectory() as temporary:
        wrong = []
        for start in range(0, len(made), BATCH):
            folder = pathlib.Path(options.keep or temporary) / str(start)
            folder.mkdir(exist_ok=True, parents=True)
            batch = made[start:start + BATCH]
            wrong += compare_readers(program, batch, folder)
            changed = folder / "changed"
            changed.mkdir(exist_ok=True)
            wrong += (one for cluster in batch if cluster.flaw for one in compare_changes(program, cluster, changed))
    for cluster, name, what in wrong[:options.show]:
        print(f"{name} ({cluster.flaw}): {what}")
    print(f"{len(wrong)} exceptions")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
