#!/usr/bin/env python3
"""Byte spans of every key and scalar against libyaml's, on every YAML file of a folder that is not a template.

usage: spans_test.py GPULINT FOLDER; exits with 77 (skipped) where FOLDER or PyYAML is missing.
"""
import json
import pathlib
import subprocess
import sys


def compare(gpulint, reference, path):
    """None: the reference cannot read the file; else whether both say the same."""
    try:
        expected = reference.spans(path.read_bytes())
    except Exception:  # noqa: BLE001: whatever libyaml or the decoder refuses
        return None
    run = subprocess.run([gpulint, "debug", "spans", path], capture_output=True, check=False)
    seen = [json.loads(line) for line in run.stdout.decode().splitlines()]
    return seen == json.loads(json.dumps(expected))


def main():
    gpulint, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    try:
        import reference_spans
    except ImportError as error:
        print(f"skipped: {error}")
        return 77
    if not folder.is_dir():
        print(f"skipped: {folder} is missing")
        return 77
    counts = {None: 0, True: 0, False: 0}
    for path in sorted(path for path in folder.rglob("*.y*ml") if b"{{" not in path.read_bytes()):
        same = compare(gpulint, reference_spans, path)
        counts[same] += 1
        if same is False:
            print(f"differs: {path}")
    print(f"{counts[True]} files agree, {counts[False]} differ, {counts[None]} unreadable for libyaml")
    return 0 if counts[True] > 0 and counts[False] == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
