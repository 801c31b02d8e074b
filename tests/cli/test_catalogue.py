"""Rules by state (`--preview`) and by their older ids: the catalogue may change, what users have written stays valid."""
import os
import pty
import subprocess

from support import GOOD_POD, GPULINT, Case, read_terminal

POD = GOOD_POD.replace("    resources:", '    env: [{name: NVIDIA_DRIVER_CAPABILITIES, value: "compute,cuda"}]\n    resources:')
REJECTED = GOOD_POD.replace("limits: {nvidia.com/gpu: 1}", "requests: {cpu: 4}\n      limits: {cpu: 2, nvidia.com/gpu: 1}")
PREVIEW = "unsupported-driver-capability"


class States(Case):
    def test_a_rule_in_preview_runs_on_demand(self):
        self.write("pod.yaml", POD)
        self.assertEqual(self.check_json("pod.yaml").ids(), [])
        self.assertEqual(self.check_json("--preview", "pod.yaml").ids(), [PREVIEW])
        self.write("gpulint.yaml", "preview: true\n")
        self.assertEqual(self.check_json("pod.yaml").ids(), [PREVIEW])

    def test_a_selected_rule_that_does_not_run_is_named(self):
        self.write("pod.yaml", POD)
        note = f"{PREVIEW} is in preview: add --preview"
        ran = self.check("--select", PREVIEW, "pod.yaml")
        self.assertIn(note, ran.err)
        self.assertEqual((ran.status, "No problems found" in ran.out), (2, False), ran)
        self.assertNotIn(note, self.check("--preview", "--select", PREVIEW, "pod.yaml").err)
        self.write("gpulint.yaml", f"rules: {{select: [{PREVIEW}]}}\n")
        self.assertIn(note, self.check("pod.yaml").err)

    def test_the_list_of_rules_has_states(self):
        rules = {rule["id"]: rule for rule in self.run_gpulint("rules", "--format", "json").json()["rules"]}
        self.assertEqual(rules[PREVIEW]["state"], "preview")
        self.assertEqual(rules["untolerated-taint"]["state"], "stable")
        self.assertRegex(self.run_gpulint("rules").out, rf"{PREVIEW} +error +unsafe +preview ")
        self.assertIn("it runs only with `--preview`", self.run_gpulint("rule", PREVIEW, "--format", "markdown").out)


class OlderIds(Case):
    def setUp(self):
        super().setUp()
        self.write("pod.yaml", REJECTED)

    def test_options_and_configuration_accept_them(self):
        self.assertEqual(self.check_json("pod.yaml").ids(), ["invalid-object"])
        self.assertEqual(self.check_json("--select", "refused-object", "pod.yaml").ids(), ["invalid-object"])
        self.assertEqual(self.check_json("--ignore", "refused-object", "pod.yaml").ids(), [])
        self.write("gpulint.yaml", "rules: {severity: {refused-object: warning}}\n")
        self.assertEqual(self.check_json("pod.yaml").json()["diagnostics"][0]["severity"], "warning")
        self.write("gpulint.yaml", 'per-file-ignores: {"*.yaml": [refused-object]}\n')
        self.assertEqual(self.check_json("pod.yaml").ids(), [])

    def test_suppressions_accept_them(self):
        self.write("pod.yaml", "# gpulint: ignore-file[refused-object]\n" + REJECTED)
        self.assertEqual(self.check_json("pod.yaml").ids(), [])

    def test_baselines_accept_them(self):
        self.check("--write-baseline", "base.json", "pod.yaml")
        self.assertIn("invalid-object", self.read("base.json"))
        self.write("base.json", self.read("base.json").replace("invalid-object", "refused-object"))
        ran = self.check_json("--baseline", "base.json", "pod.yaml")
        self.assertEqual((ran.ids(), ran.status), ([], 0), ran)

    def test_the_page_of_a_rule_is_found_by_them(self):
        page = self.run_gpulint("rule", "refused-object")
        self.assertIn("invalid-object", page.out)
        self.assertIn("earlier: refused-object", page.out)
        rules = {rule["id"]: rule for rule in self.run_gpulint("rules", "--format", "json").json()["rules"]}
        self.assertEqual(rules["invalid-object"]["aliases"], ["refused-object"])


class Pager(Case):
    def on_terminal(self, rows, **environment):
        ours, theirs = pty.openpty()
        subprocess.run(["stty", "rows", str(rows), "cols", "100"], stdin=theirs, check=True)
        process = subprocess.Popen([GPULINT, "rules"], stdin=theirs, stdout=theirs, stderr=theirs,
                                   env={"PATH": os.environ["PATH"], "TERM": "xterm"} | environment)
        return read_terminal(ours, theirs, process)

    def test_what_is_longer_than_the_terminal_goes_through_the_pager(self):
        paged = {"PAGER": "echo paged; cat"}
        self.assertTrue(self.on_terminal(20, **paged).startswith("paged"))
        self.assertFalse(self.on_terminal(1000, **paged).startswith("paged"))
        for pager in ("", "cat", "no-such-pager"):
            self.assertIn("untolerated-taint", self.on_terminal(20, PAGER=pager), pager)
