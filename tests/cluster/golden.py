#!/usr/bin/env python3
"""Recorded verdicts of Kubernetes' own code on manifests (testdata/golden/api-validation.jsonl.gz), asked of a running API server:
what the tests of the rules take for true is true.

usage: golden.py APISERVER RECORD
The record was made of the registry's strategies without admission: what only admission refuses, and names of objects that
there are not, is left out here.
"""
import collections
import gzip
import json
import pathlib
import re
import sys

import yaml

import server as cluster

# Refusals that hang on what else there is in the cluster.
BY_ADMISSION = re.compile(r"RuntimeClass|PriorityClass|is forbidden: (?!node selector)")


def read_all(text):
    try:
        return [one for one in yaml.safe_load_all(text) if one]
    except yaml.YAMLError:
        return []


def main():
    program, record = sys.argv[1], pathlib.Path(sys.argv[2])
    with gzip.open(record, "rt") as lines:
        cases = [json.loads(line) for line in lines]
    if not cases:
        print(f"{record} has no cases")
        return 1
    counts, wrong = collections.Counter(), []
    with cluster.running(program) as server:
        for case in cases:
            ask(server.client, case, counts, wrong)
    print("\n".join(wrong))
    print(", ".join(f"{key} {counts[key]}" for key in sorted(counts)))
    return 1 if wrong or not counts["refused"] or not counts["admitted"] else 0


def ask(client, case, counts, wrong):
    # The text itself is sent: it is the server that reads the YAML.
    values = read_all(case["manifest"])
    if len(values) != 1 or not isinstance(values[0], dict) or not all(isinstance(values[0].get(key), str) for key in ("apiVersion", "kind")):
        counts["left out: no object to this reader"] += 1
        return
    metadata = values[0].get("metadata")
    space = metadata.get("namespace") if isinstance(metadata, dict) else None
    space = space if isinstance(space, str) and re.fullmatch("[a-z0-9-]+", space) else "default"
    client.apply([{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": space}}])
    path = client.path(values[0], space)
    if path is None:
        counts["not served"] += 1
        if case["valid"]:
            wrong.append(f"{case['id']}: not served, and recorded as valid")
        return
    status, answer = client.send_yaml(path + "?dryRun=All&fieldValidation=Strict", case["manifest"])
    message = answer.get("message", "")
    if status == 404 or status >= 400 and BY_ADMISSION.search(message):
        counts["left out: admission"] += 1
    elif (status == 201) != case["valid"]:
        wrong.append(f"{case['id']}: {'admitted' if status == 201 else message[:300]}; recorded: {case['errors'] or 'valid'}")
    else:
        counts["admitted" if status == 201 else "refused"] += 1


if __name__ == "__main__":
    sys.exit(main())
