#!/usr/bin/env python3
"""What test programs tell ctest: a test without its oracle never passes.

usage: harness_test.py PROGRAM [unittest arguments]; PROGRAM has the cases of harness/exit_status_test.cpp.
"""
import pathlib
import subprocess
import sys
import unittest

PROGRAM = ""
TESTS = pathlib.Path(__file__).resolve().parent


def status(*cases):
    return subprocess.run([PROGRAM, ",".join(cases)], capture_output=True, check=False).returncode


class ExitStatus(unittest.TestCase):
    def test_it_tells_skipped_from_passed_and_failed(self):
        self.assertEqual(status("passes"), 0)
        self.assertEqual(status("skips"), 77)
        self.assertEqual(status("passes", "skips"), 77)
        self.assertEqual(status("fails and skips"), 1)
        self.assertEqual(status("fails as often as the status that skips"), 1)

    def test_a_missing_golden_file_is_a_failure(self):
        self.assertEqual(status("has no golden file"), 1)


class Sources(unittest.TestCase):
    def test_no_test_passes_with_a_warning_that_it_was_skipped(self):
        for path in sorted(TESTS.rglob("*.cpp")):
            if path.name != "main.cpp":
                self.assertNotRegex(path.read_text(), r'WARN\("skipped', path)

    def test_only_the_corpus_is_outside_of_the_repository(self):
        for path in sorted(TESTS.rglob("*.cpp")):
            for name in ("golden", "facts", "incidents", "defects"):
                self.assertNotRegex(path.read_text(), rf'(GPULINT_SHARED_DIR|shared_folder\()[ )]*"/?{name}', path)


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
