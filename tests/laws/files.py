#!/usr/bin/env python3
"""One verdict, over the cases of all rules, the incidents and the projects of testdata.

usage: files.py GPULINT

`place` and `why` say the same of each workload, and each certain reason of `why` is one of `place`, at the same place. Exits with 1
and prints the workloads of which that is not so.
"""
import collections
import pathlib
import sys

import run

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDERS = ("testdata/incidents/*/", "testdata/projects/*/", "testdata/showcase/", "testdata/quickstart/", "rules/*/cases/*/")


def find_inputs():
    """Folders and what to read there: cases that are one file stand alone."""
    for pattern in FOLDERS:
        yield from ((folder, ".") for folder in sorted(SOURCE.glob(pattern)))
    for path in sorted(SOURCE.glob("rules/*/cases/*.yaml")):
        yield path.parent, path.name


def compare_story(verdict, story):
    """What `why` says otherwise than `place`."""
    yield from run.compare_fits(verdict, story)
    for node, terms in run.terms_by_node(story):
        new = {term for term in terms if term[1]} - verdict.terms.get(node, set())
        if new:
            yield f"{node}: {sorted(new, key=str)} of why is no reason of place"


def compare(program, folder, name):
    """(workload, what) for all that `why` says otherwise."""
    results = program.read("place", folder=folder, given=name).get("results", [])
    stories = {story["workload"]: story for story in program.read("why", folder=folder, given=name).get("workloads", [])}
    cells = collections.Counter((one["workload"], one["node"]) for one in results)
    namesakes = {workload for (workload, _), count in cells.items() if count > 1}
    for workload, verdict in run.told_by_place(results).items():
        if workload not in namesakes:
            yield from ((workload, what) for what in compare_story(verdict, stories.get(workload)))


def main():
    program = run.Program(sys.argv[1])
    inputs = list(find_inputs())
    wrong = [(folder / name, *found) for folder, name in inputs for found in compare(program, folder, name)]
    for path, workload, what in wrong:
        print(f"{path.relative_to(SOURCE)}: {workload}: {what}")
    print(f"{len(inputs)} inputs, {len(wrong)} exceptions")
    return 1 if wrong or len(inputs) < 1000 else 0


if __name__ == "__main__":
    sys.exit(main())
