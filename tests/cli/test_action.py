"""What the GitHub action does: ci/action/check under the variables that a runner sets."""
import os
import pathlib
import re
import subprocess
import unittest

from support import BROKEN_POD, GOOD_POD, GPULINT, SOURCE, Case

NODE = "apiVersion: v1\nkind: Node\nmetadata: {name: gpu-1}\nstatus: {allocatable: {nvidia.com/gpu: 1, pods: 9, cpu: 9, memory: 9Gi}}\n"


class Action(Case):
    def act(self, **inputs):
        """Exit status, outputs and summary of the step."""
        program = self.folder.parent / (self.folder.name + ".bin")
        program.mkdir(exist_ok=True)
        self.addCleanup(lambda: [path.unlink() for path in program.iterdir()] and None)
        if not (program / "gpulint").exists():
            (program / "gpulint").symlink_to(GPULINT)
        files = {name: program / name for name in ("outputs", "summary")}
        for file in files.values():
            file.write_text("")
        variables = {"PATH": f"{program}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8", "RUNNER_TEMP": str(program),
                     "GITHUB_OUTPUT": str(files["outputs"]), "GITHUB_STEP_SUMMARY": str(files["summary"])}
        given = {f"INPUT_{name.upper()}": value for name, value in inputs.items()}
        ran = subprocess.run([SOURCE / "ci/action/check"], cwd=self.folder, env=variables | given, text=True,
                             capture_output=True, timeout=60, check=False)
        lines = files["outputs"].read_text().splitlines()
        return ran, dict(line.split("=", 1) for line in lines), files["summary"].read_text()

    def test_findings_are_annotated_and_counted(self):
        self.write("pod.yaml", BROKEN_POD)
        ran, outputs, summary = self.act(upload="true")
        self.assertEqual((ran.returncode, outputs), (1, {"exit-code": "1", "findings": "1", "sarif-file": "gpulint.sarif"}))
        self.assertIn("::error file=pod.yaml,line=10", ran.stdout)
        self.assertIn("duplicate-key", summary)

    def test_the_word_that_starts_commands_again_cannot_be_guessed(self):
        self.write("pod.yaml", GOOD_POD)
        words = [re.search(r"^::stop-commands::(.*)$", self.act()[0].stdout, re.M)[1] for _ in range(2)]
        for word in words:
            self.assertRegex(word, r"^gpulint-[0-9a-f]{32}$")
        self.assertNotEqual(*words)

    def test_the_summary_has_the_matrix(self):
        self.write("pod.yaml", GOOD_POD)
        self.write("node.yaml", NODE)
        ran, _, summary = self.act()
        self.assertEqual(ran.returncode, 0, ran)
        self.assertRegex(summary, r"### Placement\n\n\| workload \| gpu-1 \|\n\|---\|---\|\n\| Pod/default/train \| ✅ \|")

    def test_nothing_read_fails(self):
        self.write("other.yaml", "a: 1\n")
        ran, outputs, _ = self.act(upload="true")
        self.assertEqual((ran.returncode, outputs["exit-code"], outputs["sarif-file"]), (2, "2", ""), ran)
        self.assertIn("no input contains anything", ran.stderr)
        self.assertEqual(self.act(require_input="false")[0].returncode, 0)

    def test_only_its_input_switches_rendering_on(self):
        self.write("pod.yaml", GOOD_POD)
        program = self.folder.parent / (self.folder.name + ".bin")
        program.mkdir()
        for render, wanted in (("true", True), ("false", False), ("", False)):
            (program / "gpulint").write_text('#!/bin/sh\necho "$@" >"$RUNNER_TEMP/words"\n')
            (program / "gpulint").chmod(0o755)
            self.act(render=render)
            self.assertEqual("--render" in (program / "words").read_text().split(), wanted, render)

    def test_a_failed_run_uploads_nothing(self):
        """Code scanning would close the alerts of the file that could not be read."""
        self.write("pod.yaml", BROKEN_POD)
        self.write("gpulint.sarif", "{}")  # of an earlier run
        for inputs in ({"paths": "pod.yaml\ngone.yaml"}, {"args": "--bogus"}, {"config": "gone.yaml"}):
            ran, outputs, _ = self.act(upload="true", **inputs)
            self.assertEqual((ran.returncode, outputs["exit-code"], outputs["sarif-file"]), (2, "2", ""), (inputs, ran))

    def test_every_input_reaches_the_script(self):
        action = (SOURCE / "action.yml").read_text()
        script = pathlib.Path(SOURCE / "ci/action/check").read_text()
        for name in ("paths", "config", "render", "args", "fail-on", "require-input", "sarif-file", "upload"):
            variable = "INPUT_" + name.upper().replace("-", "_")
            self.assertIn(f"{variable}: ${{{{ inputs.{name} }}}}", action)
            self.assertIn(variable, script)
        upload = action.split("Upload to code scanning")[1]
        self.assertIn("exit-code != '2'", upload)


if __name__ == "__main__":
    unittest.main()
