"""The wheel of a release, and who takes it: pip, through the backend in ci/backend. No registry is needed."""
import hashlib
import os
import shutil
import subprocess
import sys

import outside
from support import GPULINT, SOURCE, Case

BACKEND = "ci/backend/gpulint_build.py"
NEEDED = (BACKEND, "pyproject.toml", "README.md", "CMakeLists.txt", ".gitattributes", "cmake/commit.txt")


class ReleasedWheel(Case):
    def setUp(self):
        super().setUp()
        self.source = self.folder / "source"
        for name in NEEDED:
            (self.source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(SOURCE / name, self.source / name)
        outside.run("git", "-C", self.source, "init", "-q")
        outside.run("git", "-C", self.source, "add", "-A")
        outside.commit(self.source, "first")
        self.dist = self.folder / "dist"
        self.dist.mkdir()
        self.commit = outside.run("git", "-C", self.source, "rev-parse", "HEAD").strip()
        self.variables = dict(os.environ) | {
            "RELEASE_VERSION": outside.VERSION, "RELEASE_COMMIT": self.commit, "RELEASE_HOME": "https://example.com",
            "SOURCE_DATE_EPOCH": "1700000000", "GPULINT_WHEELS": str(self.dist), "PIP_NO_INDEX": "1"}
        self.wheel = self.make_wheel()
        self.write_sums()

    def make_wheel(self):
        """As ci/release makes it, of the program under test and with stand-ins for the licences."""
        tree = self.folder / "tree"
        doc = tree / "share/doc/gpulint"
        doc.mkdir(parents=True, exist_ok=True)
        (tree / "bin").mkdir(exist_ok=True)
        program = tree / "bin/gpulint"
        program.write_text(f"#!/bin/sh\nexec '{GPULINT}' \"$@\"\n")
        program.chmod(0o755)
        for name in ("LICENSE", "THIRD_PARTY_NOTICES"):
            (doc / name).write_text("x\n")
        (doc / "gpulint.spdx.json").write_text('{"packages": [{"sourceInfo": "commit %s"}]}' % self.commit)
        name = outside.run(sys.executable, SOURCE / "ci/artefacts/wheel.py", tree, os.uname().machine, self.dist,
                           env=self.variables).strip()
        return self.dist / name

    def write_sums(self):
        digest = hashlib.sha256(self.wheel.read_bytes()).hexdigest()
        (self.dist / "SHA256SUMS").write_text(f"{digest}  {self.wheel.name}\n")

    def decision(self):
        return outside.run(sys.executable, "-B", self.source / BACKEND, env=self.variables)

    def test_pip_takes_it_for_the_sources_that_it_was_made_of(self):
        self.assertIn(" takes file://", self.decision())
        outside.run(sys.executable, "-m", "venv", self.folder / "venv")
        outside.run(self.folder / "venv/bin/pip", "install", "--quiet", self.source, env=self.variables, timeout=120)
        self.assertRegex(outside.run(self.folder / "venv/bin/gpulint", "--version"), outside.VERSION_LINE)

    def test_kubectl_finds_it(self):
        """As pip installs it, and linked from another folder, as pipx does."""
        outside.run(sys.executable, "-m", "venv", self.folder / "venv")
        outside.run(self.folder / "venv/bin/pip", "install", "--quiet", self.wheel, env=self.variables, timeout=120)
        program = self.folder / "venv/bin/gpulint"
        program.unlink()
        program.symlink_to(GPULINT)
        (self.folder / "elsewhere").mkdir()
        for name in ("kubectl-gpulint", "kubectl_complete-gpulint"):
            (self.folder / "elsewhere" / name).symlink_to(self.folder / "venv/bin" / name)
        for folder in (self.folder / "venv/bin", self.folder / "elsewhere"):
            self.assertIn("Usage: kubectl gpulint check", outside.run(folder / "kubectl-gpulint", "check", "--help"))
            offered = outside.run(folder / "kubectl_complete-gpulint", "check", "--format", "sa")
            self.assertEqual(offered.splitlines(), ["sarif", ":4"])

    def test_the_same_tree_gives_the_same_bytes(self):
        first = self.wheel.read_bytes()
        self.assertEqual(self.make_wheel().read_bytes(), first)

    def make_renderer_wheel(self):
        tree = self.folder / "render-tree"
        doc = tree / "share/doc/gpulint-render"
        doc.mkdir(parents=True)
        (tree / "bin").mkdir()
        (tree / "bin/gpulint-render").write_text("#!/bin/sh\necho renders\n")
        for name in ("LICENSE", "THIRD_PARTY_NOTICES"):
            (doc / name).write_text("x\n")
        (doc / "gpulint-render.spdx.json").write_text('{"packages": [{"sourceInfo": "commit %s"}]}' % self.commit)
        name = outside.run(sys.executable, SOURCE / "ci/artefacts/wheel.py", tree, os.uname().machine, self.dist, "gpulint-render",
                           env=self.variables).strip()
        return self.dist / name

    def test_the_renderer_is_a_wheel_of_its_own(self):
        self.make_renderer_wheel()
        outside.run(sys.executable, "-m", "venv", self.folder / "venv")
        pip = self.folder / "venv/bin/pip"
        outside.run(pip, "install", "--quiet", "--find-links", self.dist, "gpulint-render", env=self.variables, timeout=120)
        self.assertEqual(outside.run(self.folder / "venv/bin/gpulint-render"), "renders\n")
        self.assertIn("gpulint check --render", outside.run(pip, "show", "gpulint-render", env=self.variables))

    def put_renderer(self):
        words = (sys.executable, "-B", self.source / BACKEND, "gpulint-render", self.folder)
        ran = subprocess.run(words, env=self.variables, stdout=subprocess.PIPE, text=True, check=False)
        return ran.returncode, ran.stdout

    def test_the_action_takes_the_renderer_of_the_release(self):
        status, output = self.put_renderer()
        self.assertEqual(status, 1)
        self.assertIn("is compiled: file://", output)
        self.wheel = self.make_renderer_wheel()
        self.write_sums()
        status, output = self.put_renderer()
        self.assertEqual(status, 0, output)
        self.assertEqual(outside.run(self.folder / "gpulint-render"), "renders\n")
        (self.source / "README.md").write_text("changed\n")
        outside.run("git", "-C", self.source, "add", "-A")
        outside.commit(self.source, "more")
        status, output = self.put_renderer()
        self.assertEqual(status, 1)
        self.assertIn("is of another commit", output)

    def test_other_sources_are_compiled(self):
        (self.source / "README.md").write_text("changed\n")
        self.assertIn("compiles its sources, which takes minutes: the sources differ from their commit", self.decision())
        outside.run("git", "-C", self.source, "add", "-A")
        outside.commit(self.source, "more")
        self.assertIn("is of another commit", self.decision())

    def test_a_wheel_that_is_not_as_it_was_summed_up_is_left_alone(self):
        self.wheel.write_bytes(self.wheel.read_bytes() + b"x")
        self.assertIn("is not what its SHA256SUMS says", self.decision())

    def test_where_there_is_none_sources_are_compiled(self):
        self.wheel.unlink()
        self.assertIn("compiles its sources", self.decision())
        self.variables["GPULINT_WHEELS"] = "none"
        self.assertIn("GPULINT_WHEELS is none", self.decision())

    def test_archives_of_git_know_their_commit(self):
        outside.run("sh", "-c", f"git -C '{self.source}' archive HEAD | tar x -C '{self.folder}/tree'")
        text = (self.folder / "tree/cmake/commit.txt").read_text()
        self.assertTrue(text.startswith(self.commit + " "), text)
