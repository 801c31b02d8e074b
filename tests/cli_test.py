#!/usr/bin/env python3
"""Drives the built program from outside, as users do.

usage: cli_test.py GPULINT [unittest arguments]; the tests are in tests/cli/.
"""
import os
import pathlib
import sys
import unittest


def main():
    os.environ["GPULINT"] = str(pathlib.Path(sys.argv[1]).resolve())
    here = pathlib.Path(__file__).resolve().parent
    sys.path.insert(0, str(here / "cli"))
    names = sys.argv[2:] or sorted(path.stem for path in (here / "cli").glob("test_*.py"))
    suite = unittest.defaultTestLoader.loadTestsFromNames(names)
    result = unittest.TextTestRunner(verbosity=1).run(suite)
    return 0 if result.wasSuccessful() and result.testsRun > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
