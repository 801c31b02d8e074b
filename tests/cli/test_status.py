"""Exit statuses and what goes to standard error."""
import os
import unittest

from support import BROKEN_POD, GOOD_POD, WARNED_POD, Case

TEMPLATE = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ .Values.name }}\n" \
           "spec:\n  containers:\n  {{- range .Values.gpus }}\n  - name: nvidia.com/gpu\n  {{- end }}\n"

NOBODY = 65534  # root reads everything


class Status(Case):
    def test_good_input_is_0_and_silent_on_standard_error(self):
        self.write("pod.yaml", GOOD_POD)
        ran = self.check("pod.yaml")
        self.assertEqual((ran.status, ran.trouble), (0, ""), ran)

    def test_findings_are_1_and_on_standard_output(self):
        self.write("pod.yaml", BROKEN_POD)
        ran = self.check("pod.yaml")
        self.assertEqual((ran.status, ran.trouble), (1, ""), ran)
        self.assertIn("error[duplicate-key]", ran.out)
        self.assertIn("pod.yaml:10:7", ran.out)

    def test_syntax_errors_are_findings_and_hide_no_other_file(self):
        self.write("bad.yaml", "a: [\n")
        self.write("pod.yaml", BROKEN_POD)
        ran = self.check_json("bad.yaml", "pod.yaml")
        self.assertEqual((ran.status, sorted(ran.ids())), (1, ["duplicate-key", "yaml-syntax"]), ran)

    def test_bad_flags_are_2(self):
        for words in (["--bogus"], ["--fail-on", "fatal"], ["--format", "xml"], ["--color", "red"],
                      ["--jobs", "many"], ["--provider", "aws"]):
            ran = self.check(*words)
            self.assertEqual((ran.status, ran.out), (2, ""), (words, ran))
            self.assertTrue(ran.err, words)
        self.assertEqual(self.run_gpulint().status, 2)
        self.assertEqual(self.run_gpulint("chekc").status, 2)

    def test_unknown_rules_are_2_with_the_nearest(self):
        self.write("pod.yaml", GOOD_POD)
        for flag in ("--select", "--ignore"):
            ran = self.check(flag, "duplicate-keys", "pod.yaml")
            self.assertEqual((ran.status, ran.out), (2, ""), ran)
            self.assertIn("`duplicate-key`", ran.err)

    def test_help_and_version_are_0(self):
        for words in (["--help"], ["check", "--help"], ["--version"]):
            ran = self.run_gpulint(*words)
            self.assertEqual((ran.status, ran.err), (0, ""), ran)
            self.assertTrue(ran.out)

    def test_a_missing_file_is_2_and_hides_no_other_file(self):
        self.write("pod.yaml", BROKEN_POD)
        ran = self.check("gone.yaml", "pod.yaml")
        self.assertEqual(ran.status, 2, ran)
        self.assertIn("gone.yaml", ran.err)
        self.assertIn("duplicate-key", ran.out)

    def test_an_unreadable_file_is_2_and_hides_no_other(self):
        self.write("pod.yaml", BROKEN_POD).chmod(0)
        self.write("other.yaml", BROKEN_POD)
        self.folder.chmod(0o755)
        ran = self.check("pod.yaml", "other.yaml", user=NOBODY if os.geteuid() == 0 else None)
        self.assertEqual(ran.status, 2, ran)
        self.assertIn("pod.yaml", ran.err)
        self.assertIn("other.yaml:10:7", ran.out)

    def test_fail_on(self):
        self.write("error.yaml", BROKEN_POD)
        self.write("warning.yaml", WARNED_POD)
        self.write("info.yaml", TEMPLATE)
        self.assertEqual(self.check_json("info.yaml").ids(), ["unrendered-template"])
        severities = ["error", "warning", "info"]
        for found in severities:
            for threshold in severities:
                wanted = int(severities.index(found) <= severities.index(threshold))
                ran = self.check("--fail-on", threshold, f"{found}.yaml")
                self.assertEqual(ran.status, wanted, (found, threshold, ran))
            self.assertEqual(self.check("--fail-on", "never", f"{found}.yaml").status, 0)
        self.assertEqual(self.check("info.yaml").status, 0)  # the default is `warning`
        self.assertEqual(self.check("warning.yaml").status, 1)

    def test_nothing_read_is_told(self):
        note = "no input contains anything that gpulint reads"
        self.write("other.yaml", "a: b\n")
        for words in (["other.yaml"], ["."], []):
            ran = self.check(*words)
            self.assertEqual(ran.status, 0, ran)
            self.assertIn(note, ran.err)
            ran = self.check("--require-input", *words)
            self.assertEqual(ran.status, 2, ran)
            self.assertIn(note, ran.err)
        self.assertEqual(self.check("--quiet", "other.yaml").err, "")
        self.write("pod.yaml", GOOD_POD)
        self.assertEqual(self.check("--require-input", ".").trouble, "")
        cpu_pod = GOOD_POD.replace("resources", "x").replace("nvidia.com/gpu", "cpu")
        self.write("cpu/pod.yaml", cpu_pod)
        self.assertEqual(self.check("--require-input", "cpu").status, 0)

    def test_standard_output_that_cannot_be_written_is_2(self):
        self.write("pod.yaml", BROKEN_POD)
        for words in (["--output", "/dev/full"], ["--output", "no/such/folder/x"]):
            ran = self.check(*words, "pod.yaml")
            self.assertEqual((ran.status, ran.out), (2, ""), ran)


if __name__ == "__main__":
    unittest.main()
