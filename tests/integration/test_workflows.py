"""Workflows and action against their schemas and actionlint."""
import os
import shutil
import subprocess
import unittest

import outside
from support import SOURCE, Case

ACTIONLINT = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12"
WORKFLOWS = sorted((SOURCE / ".github/workflows").glob("*.yml"))


@outside.needs_registry
class Schemas(Case):
    def test_action_and_workflows_fit_their_schemas(self):
        tool = outside.environment("validators", "check-jsonschema", "pyyaml") / "check-jsonschema"
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
