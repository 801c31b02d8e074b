"""Workflows and action against their schemas and actionlint; what they download is pinned."""
import os
import re
import shutil
import subprocess
import unittest

import outside
from support import SOURCE, Case

ACTIONLINT = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12"
WORKFLOWS = sorted((SOURCE / ".github/workflows").glob("*.yml"))
# Images without a digest, and why.
FLOATING = {"gcr.io/oss-fuzz-base/base-builder:ubuntu-24-04": "OSS-Fuzz rebuilds it each day and accepts no digest"}
USES = re.compile(r"^\s*(?:- )?uses:\s*(\S+)(.*)$", re.M)
IMAGE = re.compile(r"^(?:FROM\s+|\s*container:\s*(?:\{image:\s*)?)['\"]?([^\s'\",}]+)", re.M)


def jobs_of(text):
    """The text of each job of a workflow, by name."""
    parts = re.split(r"^  ([a-z]+):\n", text.split("\njobs:\n", 1)[1], flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


class Pinned(Case):
    """What runs for a release is named by its content. Needs no registry."""

    def test_actions_are_commits_with_their_version_beside_them(self):
        found = 0
        for path in [SOURCE / "action.yml", *WORKFLOWS]:
            for used, rest in USES.findall(path.read_text()):
                if used != "./":
                    self.assertRegex(used, r"@[0-9a-f]{40}$", path)
                    self.assertRegex(rest, r"^  # v\d+\.\d+\.\d+$", path)
                    found += 1
        self.assertGreater(found, 15)

    def test_one_version_of_an_action_is_one_commit(self):
        commits = {}
        for path in [SOURCE / "action.yml", *WORKFLOWS]:
            for used, rest in USES.findall(path.read_text()):
                if used != "./":
                    action, commit = used.split("@")
                    commits.setdefault("/".join(action.split("/")[:2]), set()).add((commit, rest))
        for action, named in commits.items():
            self.assertEqual(len(named), 1, (action, named))

    def test_images_have_digests(self):
        found = []
        for path in [*WORKFLOWS, SOURCE / "Dockerfile", SOURCE / "packaging/oss-fuzz/Dockerfile"]:
            found += [(path, image) for image in IMAGE.findall(path.read_text())]
        self.assertGreater(len(found), 6)
        for path, image in found:
            if image not in FLOATING:
                self.assertRegex(image, r"^[a-z./]+:[a-z0-9-]+@sha256:[0-9a-f]{64}$", path)

    def test_packages_of_pypi_have_hashes(self):
        for path in sorted((SOURCE / "ci/requirements").glob("*.txt")):
            text = re.sub(r"\\\n *", "", path.read_text())
            pins = [line for line in text.splitlines() if line and line.lstrip()[0] not in "#"]
            self.assertGreater(len(pins), 0, path)
            for pin in pins:
                self.assertRegex(pin, r"^[a-z0-9-]+==\S+ --hash=sha256:[0-9a-f]{64}", path)
        scripts = [path for folder in ("ci", ".github") for path in (SOURCE / folder).rglob("*") if path.is_file()]
        for path in scripts:
            for line in path.read_text().splitlines():
                if "pip" in line and " install " in line and "#" not in line.split("pip")[0]:
                    is_own = "gpulint==" in line or line.endswith(" .")
                    self.assertTrue(is_own or "--require-hashes" in line, (path, line))


class Release(Case):
    def setUp(self):
        super().setUp()
        self.jobs = jobs_of((SOURCE / ".github/workflows/release.yml").read_text())

    def test_every_workflow_may_only_read_by_default(self):
        for path in WORKFLOWS:
            self.assertRegex(path.read_text(), r"\npermissions:\n  contents: read\n[a-z]", path)

    def test_only_the_job_that_makes_the_image_is_privileged(self):
        self.assertEqual([name for name, text in self.jobs.items() if "--privileged" in text], ["image"])
        self.assertIn("ci/release \"$GITHUB_REF_NAME\" packages image\n", self.jobs["image"])
        self.assertNotIn(": write", self.jobs["image"])

    def test_only_jobs_that_run_nothing_of_the_repository_may_write(self):
        for name, text in self.jobs.items():
            self.assertEqual(": write" in text, name in ("publish", "pypi"), name)
            if ": write" in text:
                self.assertNotIn("actions/checkout", text)
                self.assertNotIn("ci/", text)

    def verify(self, job):
        """Runs the step of a job that compares what it downloaded."""
        step = self.jobs[job].split("- name: Verify", 1)[1].split("\n      - ", 1)[0]
        script = step.split("run: |\n", 1)[1]
        return subprocess.run(["bash", "-e", "-c", script], cwd=self.folder, capture_output=True, text=True, check=False,
                              env={"PATH": os.environ["PATH"], "SUMS": self.sums}).returncode

    def test_nothing_is_published_that_was_not_checked(self):
        for job in ("publish", "pypi"):
            self.write("a.whl", "a")
            self.write("b.tar", "b")
            sums = outside.run("sha256sum", "a.whl", "b.tar", cwd=self.folder)
            self.write("SHA256SUMS", sums)
            self.sums = outside.run("sha256sum", "SHA256SUMS", cwd=self.folder).split()[0]
            self.assertEqual(self.verify(job), 0, job)
            self.write("a.whl", "other")
            self.assertNotEqual(self.verify(job), 0, "another file")
            self.write("a.whl", "a")
            self.write("c.tar", "c")
            self.assertNotEqual(self.verify(job), 0, "one more file")
            (self.folder / "c.tar").unlink()
            self.write("SHA256SUMS", sums.splitlines(True)[0])
            self.assertNotEqual(self.verify(job), 0, "other checksums")

    def test_a_release_is_attested_and_signed_before_it_is_published(self):
        steps = self.jobs["publish"]
        order = [steps.index(part) for part in ("- name: Verify", "actions/attest-build-provenance@", "cosign sign-blob",
                                                "gh release create")]
        self.assertEqual(order, sorted(order))
        for permission in ("contents", "id-token", "attestations"):
            self.assertIn(f"      {permission}: write\n", steps)


@outside.needs_registry
class Schemas(Case):
    def test_action_and_workflows_fit_their_schemas(self):
        tool = outside.environment("tools") / "check-jsonschema"
        outside.run(tool, "--builtin-schema", "vendor.github-actions", SOURCE / "action.yml")
        outside.run(tool, "--builtin-schema", "vendor.github-workflows", *WORKFLOWS)


def install_actionlint():
    program = outside.WORK / "go/bin/actionlint"
    with outside.Lock():
        if program.exists() or shutil.which("go") is None:
            return program
        variables = dict(os.environ) | {"GOBIN": str(program.parent), "GOFLAGS": "-modcacherw"}
        subprocess.run(["go", "install", ACTIONLINT], env=variables, capture_output=True, timeout=600, check=False)
    return program


class Actionlint(Case):
    def setUp(self):
        super().setUp()
        self.program = install_actionlint()
        if not self.program.exists():
            self.skipTest("go or the Go module proxy is out of reach")

    def test_workflows_are_clean(self):
        outside.run(self.program, *WORKFLOWS, cwd=SOURCE)

    def test_it_would_notice_a_wrong_input_of_the_action(self):
        outside.snapshot(self.folder / "copy")
        workflow = self.folder / "copy/.github/workflows/selftest.yml"
        workflow.write_text(workflow.read_text().replace("fail-on: error", "fail-in: error"))
        ran = subprocess.run([self.program, workflow], cwd=self.folder / "copy", capture_output=True, text=True,
                             check=False)
        self.assertEqual(ran.returncode, 1, ran)
        self.assertIn("fail-in", ran.stdout)


@unittest.skipIf(shutil.which("shellcheck") is None, "shellcheck is not installed")
class Shellcheck(Case):
    def test_scripts_are_clean(self):
        scripts = [path for path in sorted((SOURCE / "ci").rglob("*"))
                   if path.is_file() and path.read_bytes().startswith(b"#!/usr/bin/env bash")]
        self.assertGreater(len(scripts), 3)
        # SC1091, SC2086: ci/packages is sourced, and its lists are split into words on purpose.
        outside.run("shellcheck", "--exclude", "SC1091,SC2086", *scripts)
