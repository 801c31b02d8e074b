"""The hooks that pre-commit builds itself, as a wheel of this repository."""
import outside
from support import BROKEN_POD, GOOD_POD, WARNED_POD
from test_precommit import Hooks


class BuiltProgram(Hooks):
    def test_an_installed_hook_stops_and_fixes(self):
        self.install("gpulint-fix", "gpulint")

        self.write("repo/values.yaml", BROKEN_POD)
        ran = self.commit()
        self.assertEqual(ran.returncode, 1, ran)
        self.assertIn("duplicate-key", ran.stdout + ran.stderr)

        self.write("repo/values.yaml", WARNED_POD)
        ran = self.commit()
        self.assertEqual(ran.returncode, 1, ran)  # files were modified
        self.assertEqual(self.read("repo/values.yaml"), GOOD_POD)

        ran = self.commit()
        self.assertEqual(ran.returncode, 0, ran)

    def test_try_repo(self):
        self.write("repo/values.yaml", GOOD_POD)
        self.assertEqual(self.commit().returncode, 0)
        source = outside.snapshot(self.folder / "source")
        ran = self.pre_commit("try-repo", source, "gpulint", "--all-files")
        self.assertEqual(ran.returncode, 0, ran)
        self.assertIn("Passed", ran.stdout)
