#!/usr/bin/env python3
"""What test programs tell ctest: a test without its oracle never passes.

usage: harness_test.py PROGRAM [unittest arguments]; PROGRAM has the cases of harness/exit_status_test.cpp.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
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


class Integration(unittest.TestCase):
    SAMPLE = """import unittest
class Whole(unittest.TestCase):
    def test_runs(self): pass
class Partly(Whole):
    def test_waits(self): self.skipTest("no registry")
class Broken(Partly):
    def test_fails(self): self.fail()
"""

    def test_what_was_skipped_is_never_passed(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "sample.py").write_text(self.SAMPLE)
            for name, status in (("Whole", 0), ("Partly", 77), ("Broken", 1)):
                ran = subprocess.run([sys.executable, TESTS / "integration_test.py", "true", folder, f"sample.{name}"],
                                     env=os.environ | {"PYTHONPATH": folder}, capture_output=True, text=True)
                self.assertEqual(ran.returncode, status, ran.stderr)
                self.assertEqual("skipped: sample.Partly.test_waits: no registry\n" in ran.stdout, name == "Partly", ran.stdout)


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
