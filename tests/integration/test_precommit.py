"""The real pre-commit with this repository as its source of hooks."""
import os
import pathlib
import subprocess

import outside
from support import BROKEN_POD, GOOD_POD, GPULINT, SOURCE, Case

CONFIG = """\
repos:
- repo: {repo}
  rev: {rev}
  hooks:
{hooks}"""


@outside.needs_registry
class Hooks(Case):
    def setUp(self):
        super().setUp()
        self.bin = outside.environment("tools")
        self.variables = outside.build_variables() | {
            "PRE_COMMIT_HOME": str(outside.WORK / "pre-commit"), "PRE_COMMIT_COLOR": "never",
            "PATH": f"{self.bin}:{pathlib.Path(GPULINT).parent}:{os.environ['PATH']}"}
        self.repo = self.folder / "repo"
        self.repo.mkdir()
        outside.run("git", "-C", self.repo, "init", "-q")

    def pre_commit(self, *words):
        return subprocess.run(["pre-commit", *map(os.fspath, words)], cwd=self.repo, text=True, check=False,
                              capture_output=True, timeout=1800, env=self.variables)

    def commit(self):
        outside.run("git", "-C", self.repo, "add", "-A")
        return subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "x"],
                              cwd=self.repo, capture_output=True, text=True, timeout=1800, check=False,
                              env=self.variables)

    def install(self, *hooks):
        """Installs hooks from a repository with the sources as they are now."""
        source = outside.snapshot(self.folder / "source")
        rev = outside.run("git", "-C", source, "rev-parse", "HEAD").strip()
        self.write("repo/.pre-commit-config.yaml", CONFIG.format(
            repo=source, rev=rev, hooks="".join(f"  - id: {hook}\n" for hook in hooks)))
        self.assertEqual(self.pre_commit("install").returncode, 0)


class InstalledProgram(Hooks):
    """What needs no build: the hook that takes gpulint from PATH."""

    def test_the_manifest_is_valid(self):
        outside.run(self.bin / "pre-commit", "validate-manifest", SOURCE / ".pre-commit-hooks.yaml")

    def test_an_installed_hook_stops_a_commit(self):
        self.install("gpulint-system")
        self.write("repo/values.yaml", BROKEN_POD)
        ran = self.commit()
        self.assertEqual(ran.returncode, 1, ran)
        self.assertIn("duplicate-key", ran.stdout + ran.stderr)
        self.write("repo/values.yaml", GOOD_POD)
        ran = self.commit()
        self.assertEqual(ran.returncode, 0, ran)
        self.assertIn("Passed", ran.stdout + ran.stderr)

    def test_try_repo_passes_the_right_files_at_once_and_excludes_hold(self):
        for i in range(40):
            self.write(f"repo/manifests/{i}.yaml", GOOD_POD)
        for name in ("values.yaml", "charts/a/values-prod.yaml", "my-flyte-config.yml", "karpenter/pool.yaml"):
            self.write(f"repo/{name}", BROKEN_POD)
        for name in ("charts/a/templates/pod.yaml", "values.txt", "excluded/values.yaml"):
            self.write(f"repo/{name}", BROKEN_POD)
        self.write("repo/gpulint.yaml", "exclude: ['excluded/**']\n")
        self.assertEqual(self.commit().returncode, 0)
        source = outside.snapshot(self.folder / "source")
        ran = self.pre_commit("try-repo", source, "gpulint-system", "--all-files", "--verbose")
        self.assertEqual(ran.returncode, 1, ran)
        # The same finding of many files is told once, with all its places.
        found = {line.split()[1].split(":")[0] for line in ran.stdout.splitlines() if line.lstrip().startswith(("-->", ":::"))}
        self.assertEqual(sorted(found), ["charts/a/values-prod.yaml", "karpenter/pool.yaml", "my-flyte-config.yml", "values.yaml"], ran)
        self.assertEqual(ran.stdout.count("Found "), 1, ran)  # one process
