"""The steps of action.yml, executed."""
import json
import os
import pathlib
import re
import subprocess

import outside
from support import BROKEN_POD, GOOD_POD, GPULINT, SOURCE, Case


@outside.needs_registry
class ActionCase(Case):
    def setUp(self):
        super().setUp()
        self.python = outside.environment("tools") / "python"
        self.write("work/pod.yaml", BROKEN_POD)
        self.write("work/two words/good.yaml", GOOD_POD)
        (self.folder / "temp").mkdir()

    def run_action(self, **inputs):
        """Runs it on the program under test; `version` installs from the wheel."""
        inputs = {name.replace("_", "-"): value for name, value in inputs.items()}
        inputs.setdefault("version", "installed")
        variables = dict(os.environ) | {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(outside.WORK / "wheel")}
        if inputs["version"] == "installed":
            variables["PATH"] = f"{pathlib.Path(GPULINT).parent}:{os.environ['PATH']}"
        ran = subprocess.run(
            [self.python, SOURCE / "tests/integration/action_runner.py", SOURCE, self.folder / "work",
             self.folder / "temp"], input=json.dumps(inputs), capture_output=True, text=True, timeout=1800,
            check=False, env=variables)
        self.assertEqual(ran.returncode, 0, ran)
        return json.loads(ran.stdout)


class Action(ActionCase):
    def test_findings_fail_the_step_and_still_give_outputs(self):
        ran = self.run_action(sarif_file="out.sarif")
        self.assertTrue(ran["failed"], ran)
        self.assertEqual(ran["outputs"], {"exit-code": "1", "findings": "1", "sarif-file": "out.sarif"}, ran)
        self.assertEqual(json.loads(self.read("work/out.sarif"))["runs"][0]["results"][0]["ruleId"],
                         "duplicate-key")
        self.assertIn("::error ", ran["log"])
        self.assertIn("file=pod.yaml,line=10", ran["log"].replace("./", ""))
        self.assertIn("duplicate-key", ran["summary"])
        self.assertEqual(ran["used"], [])

    def test_upload_goes_on_after_findings(self):
        ran = self.run_action(upload="true")
        self.assertEqual(len(ran["used"]), 1, ran)
        self.assertTrue(ran["used"][0]["uses"].startswith("github/codeql-action/upload-sarif@"))
        self.assertEqual(ran["used"][0]["with"]["sarif_file"], "gpulint.sarif")
        self.assertEqual(self.run_action(upload="true", args="--bogus")["used"], [])

    def test_inputs_reach_gpulint(self):
        self.assertFalse(self.run_action(fail_on="never")["failed"])
        self.assertFalse(self.run_action(args="--ignore duplicate-key")["failed"])
        self.assertFalse(self.run_action(paths="two words/good.yaml\n")["failed"])
        self.assertTrue(self.run_action(paths="two words\n  pod.yaml  \n")["failed"])
        self.write("c.yaml", "rules: {ignore: [duplicate-key]}\n")
        self.assertFalse(self.run_action(config=str(self.folder / "c.yaml"))["failed"])
        ran = self.run_action(paths="gone.yaml")
        self.assertEqual((ran["failed"], ran["outputs"]["exit-code"]), (True, "2"), ran)

    def test_inputs_are_never_run(self):
        evil = "$(touch pwned); `touch pwned` ; touch pwned; \"; touch pwned #"
        for name in ("paths", "config", "args", "fail-on", "sarif-file", "version", "upload"):
            self.run_action(**{name: evil})
        self.assertEqual(list(self.folder.rglob("pwned")), [])

    def test_lines_of_checked_files_are_no_commands(self):
        text = BROKEN_POD.replace("      limits: {nvidia.com/gpu: 1}\n",
                                  "      limits: {nvidia.com/gpu: 1} # \n::error::fake\n", 1)
        self.write("work/pod.yaml", text + "::set-output name=x::y\n")
        log = self.run_action()["log"]
        stopped = False
        for line in log.splitlines():
            if match := re.fullmatch(r"::stop-commands::(\S+)", line):
                stopped = match[1]
            elif stopped and line == f"::{stopped}::":
                stopped = False
            elif not stopped:
                self.assertFalse(line.startswith(("::error::fake", "::set-output")), log)


class Matcher(Case):
    def matcher(self):
        document = json.loads((SOURCE / ".github/gpulint-matcher.json").read_text())
        return document["problemMatcher"][0]["pattern"][0]

    def test_it_reads_concise_output_plain_and_coloured(self):
        self.write("pod.yaml", BROKEN_POD)
        pattern = self.matcher()
        for color in ("never", "always"):
            line = self.check("--format", "concise", "--color", color, "pod.yaml").out.splitlines()[0]
            match = re.match(pattern["regexp"], line)
            self.assertTrue(match, line)
            self.assertEqual([match[pattern[name]] for name in ("file", "line", "column", "severity", "code")],
                             ["pod.yaml", "10", "7", "error", "duplicate-key"])
