#!/usr/bin/env python3
"""Tries gpulint from outside with the real tools around it: pip, pre-commit, dpkg, actionlint, validators.

usage: integration_test.py GPULINT WORK MODULE[.CLASS]…; WORK keeps environments and the wheel between modules.
Leaves with 77 where a test cannot run here (a registry or a tool is out of reach), and says which and why.
"""
import os
import pathlib
import sys
import unittest


def main():
    os.environ["GPULINT"] = str(pathlib.Path(sys.argv[1]).resolve())
    os.environ["GPULINT_WORK"] = str(pathlib.Path(sys.argv[2]).resolve())
    here = pathlib.Path(__file__).resolve().parent
    sys.path[:0] = [str(here / "integration"), str(here / "cli")]
    suite = unittest.defaultTestLoader.loadTestsFromNames(sys.argv[3:])
    result = unittest.TextTestRunner(verbosity=2).run(suite)
    if result.testsRun == 0 or not result.wasSuccessful():
        return 1
    for test, reason in result.skipped:
        print(f"skipped: {test.id()}: {reason}")
    return 77 if result.skipped else 0


if __name__ == "__main__":
    sys.exit(main())
