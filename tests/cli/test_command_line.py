"""The command line itself: help, what is probably meant, short flags, what -v tells, wrapping."""
import os
import pty
import re
import subprocess
import time
import unittest

from support import BROKEN_POD, GOOD_POD, GPULINT, Case, read_terminal


class Help(Case):
    def test_help_and_version_are_commands_too(self):
        for words, flags in ((["help"], ["--help"]), (["help", "check"], ["check", "--help"]),
                             (["help", "debug", "json"], ["debug", "json", "--help"]), (["version"], ["--version"])):
            ran, same = self.run_gpulint(*words), self.run_gpulint(*flags)
            self.assertEqual((ran.status, ran.out, ran.err), (0, same.out, ""), words)

    def test_explain_is_rule(self):
        for words in (["yaml-syntax"], ["--format", "json", "reading"], []):
            self.assertEqual(self.run_gpulint("explain", *words).out, self.run_gpulint("rule", *words).out)

    def test_what_is_no_command_is_told(self):
        self.write("values.yaml", "a: b\n")
        for words, told in ((["chekc", "f.yaml"], "`gpulint check`"), (["help", "chekc"], "`gpulint check`"),
                            (["debug", "jsn", "f.yaml"], "`gpulint debug json`"), (["help", "debug", "jsn"], "debug json"),
                            (["values.yaml"], "gpulint check values.yaml"), (["quite-other"], "gpulint help"),
                            (["debug"], "needs a command")):
            ran = self.run_gpulint(*words)
            self.assertEqual((ran.status, ran.out), (2, ""), (words, ran))
            self.assertIn(told, ran.err, words)

    def test_without_a_command_all_are_listed(self):
        ran = self.run_gpulint()
        self.assertEqual((ran.status, ran.err, ran.out), (2, "", self.run_gpulint("--help").out))

    def test_help_is_grouped_has_examples_and_fits_a_terminal(self):
        commands = re.findall(r"^  ([a-z-]+)  ", self.run_gpulint("--help").out.split("Subcommands:", 1)[1], re.M)
        for command in commands:
            text = self.run_gpulint("help", command).out
            self.assertLessEqual(max(map(len, text.splitlines())), 80, command)
        text = self.run_gpulint("help", "check").out
        self.assertEqual(re.findall(r"^([A-Z]\w+):$", text, re.M),
                         ["Positionals", "Options", "Inputs", "Rendering", "Reading", "Output", "Findings", "Examples"])
        self.assertEqual(text.split("Examples:")[1].count("\n  gpulint check"), 2)

    def test_rules_of_a_category(self):
        ran = self.run_gpulint("rules", "partition", "--format", "json")
        self.assertEqual({rule["category"] for rule in ran.json()["rules"]}, {"partition"})
        self.assertEqual(self.run_gpulint("rules", "partitoin").status, 2)

    def test_a_wrong_value_is_refused_in_one_line(self):
        ran = self.check("--fail-on", "warn")
        self.assertEqual((ran.status, ran.out, ran.err), (2, "", "gpulint: --fail-on: must be error|warning|info|never, not `warn`\n"))

    def test_nearest_flags_are_told(self):
        for words, told in ((["check", "--json"], "`--format json`"), (["rules", "--markdown"], "`--format markdown`"),
                            (["check", "--formt", "json"], "`--format`"), (["check", "--fail-n=error"], "`--fail-on`"),
                            (["check", "--diff"], "`gpulint fix` does"), (["check", "--zzzz"], "`gpulint check --help`")):
            ran = self.run_gpulint(*words)
            self.assertEqual((ran.status, ran.out), (2, ""), (words, ran))
            self.assertIn(told, ran.err, words)

    def test_nearest_formats_are_told(self):
        for command in ("check", "place", "rules"):
            ran = self.run_gpulint(command, "--format", "jsno")
            self.assertEqual((ran.status, ran.out), (2, ""), ran)
            self.assertIn("did you mean `json`?", ran.err)

    def test_a_part_of_a_rules_name_is_enough_of_a_hint(self):
        for part in ("mig-strategy", "mig-stratgy", "MIG-strategy"):
            self.assertIn("`mig-strategy-mismatch`", self.run_gpulint("explain", part).err, part)
        self.assertNotIn("did you mean", self.run_gpulint("explain", "xyz").err)

    def test_nearest_accelerators_are_told(self):
        self.write("values.yaml", "configuration: {inline: {plugins: {k8s: {gpu-device-node-label: gpu}}}}\n")
        for device, meant in (("A101", "A100"), ("a100_80gb", "A100_80GB"), ("a100-1g.5gb", "A100.partition_1g_5gb"),
                              ("nvidia-tesla-a101", "nvidia-tesla-a100")):
            for command in ("check", "compile"):
                ran = self.run_gpulint(command, "values.yaml", "--task", f"name=t,gpu=1,accelerator={device}")
                self.assertIn(f"did you mean `{meant}`?", ran.err, device)
                self.assertNotEqual(ran.status, 2)
        for device in ("A100", "a100", "H200", "L40", "K40", "B100", "V100S", "nvidia-tesla-a100", "NVIDIA-A100-SXM4-80GB", "our-own", "T5"):
            ran = self.run_gpulint("compile", "values.yaml", "--task", f"name=t,gpu=1,accelerator={device}")
            self.assertNotIn("did you mean", ran.err, device)

    def test_the_name_of_a_constant_is_not_proposed_for_itself(self):
        self.write("values.yaml", "configuration: {inline: {plugins: {k8s: {gpu-device-node-label: gpu}}}}\n")
        self.write("tasks.yaml", "- {name: t, requests: {gpu: '1'}, accelerator: {device: L40S}}\n")
        self.assertIn("`L40S`; did you mean `nvidia-l40s`?", self.run_gpulint("compile", "values.yaml", "--tasks", "tasks.yaml").err)

    def test_a_device_that_nodes_carry_is_no_misspelling(self):
        self.write("values.yaml", "configuration: {inline: {plugins: {k8s: {gpu-device-node-label: gpu}}}}\n")
        self.write("node.yaml", "apiVersion: v1\nkind: Node\nmetadata: {name: n, labels: {gpu: A101}}\n"
                   "status: {allocatable: {nvidia.com/gpu: 1}}\n")
        ran = self.run_gpulint("compile", "values.yaml", "node.yaml", "--task", "name=t,gpu=1,accelerator=A101")
        self.assertNotIn("did you mean", ran.err)


class Flags(Case):
    def setUp(self):
        super().setUp()
        self.write("pod.yaml", BROKEN_POD)

    def test_short_flags_are_the_long_ones(self):
        long = self.check("--format", "concise", "--output", "long.txt", "--jobs", "1", "pod.yaml")
        short = self.check("-f", "concise", "-o", "short.txt", "-j", "1", "pod.yaml")
        self.assertEqual((short.status, short.out, self.read("short.txt")), (long.status, "", self.read("long.txt")))

    def test_a_dash_is_standard_output(self):
        plain = self.check("pod.yaml").out
        for words in (["-o", "-"], ["-f", "text:-"], ["-f", "text:-", "-o", "x"], ["-f", "text:-", "-f", "json:x"]):
            self.assertEqual(self.check(*words, "pod.yaml").out, plain, words)
        self.assertEqual(self.check("-f", "text:-", "-f", "json", "pod.yaml").status, 2)  # both would go there
        self.assertIn("yaml-language-server", self.run_gpulint("init", "-o", "-", ".").out)
        self.assertEqual(self.run_gpulint("rule", "-o", "-", "yaml-syntax").out, self.run_gpulint("rule", "yaml-syntax").out)
        self.assertIn("# ", self.run_gpulint("generate", "--provider", "gke", "-o", "-", ".").out)
        self.assertFalse((self.folder / "-").exists())
        self.assertFalse((self.folder / "gpulint.yaml").exists())

    def test_files_are_shown(self):
        self.write("sub/other.yaml", "a: b\n")
        self.write("tests/pod.yaml", BROKEN_POD)
        self.write("gpulint.yaml", "exclude: ['tests/**']\n")
        ran = self.check("--show-files", ".")
        self.assertEqual((ran.status, ran.out, ran.err), (0, "pod.yaml\nsub/other.yaml\n", ""), ran)
        ran = self.check("--show-files", "gone.yaml", "pod.yaml")
        self.assertEqual((ran.status, ran.out), (2, "pod.yaml\n"), ran)
        self.assertIn("gone.yaml", ran.err)

    def test_watch_checks_again_after_each_change(self):
        self.write("a/pod.yaml", GOOD_POD)
        with subprocess.Popen([GPULINT, "check", "--watch", "--format", "concise", "-o", "a/report.txt", "a"], cwd=self.folder,
                              stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
            def wait():
                for line in process.stderr:
                    if "waiting for changes" in line:
                        return self.read("a/report.txt")
                self.fail("it ended")
            self.assertEqual(wait(), "")
            self.write("a/pod.yaml", BROKEN_POD)
            self.assertIn("a/pod.yaml:10:7: error[duplicate-key]", wait())
            self.write("a/new.yaml", BROKEN_POD)
            self.assertIn("a/new.yaml:10:7: error[duplicate-key]", wait())
            (self.folder / "a/new.yaml").unlink()
            self.assertNotIn("new.yaml", wait())
            time.sleep(0.5)
            self.assertIsNone(process.poll())
            process.terminate()
            self.assertEqual(process.stderr.read(), "")  # its own report is no change
        for words in (("-",), ("--add-suppressions", "x", "a")):
            self.assertEqual(self.check("--watch", *words).status, 2)

    def test_verbose_tells_what_happens(self):
        self.write("a/node.yaml", "apiVersion: v1\nkind: Node\nmetadata: {name: n}\nstatus: {allocatable: {nvidia.com/gpu: 1}}\n")
        self.write("a/pod.yaml", GOOD_POD)
        self.write("other.yaml", "a: b\n")
        self.write("tests/pod.yaml", BROKEN_POD)
        self.write("gpulint.yaml", "exclude: ['tests/**']\n")
        ran = self.check("-v", ".")
        self.assertEqual(ran.out, self.check(".").out)
        lines = ran.err.splitlines()
        for line in ("gpulint: configuration: gpulint.yaml", "gpulint: read: pod.yaml: 1 document",
                     "gpulint: skipped: other.yaml: nothing in it concerns GPUs",
                     "gpulint: skipped: tests/pod.yaml: excluded by gpulint.yaml"):
            self.assertIn(line, lines)
        self.assertNotIn("skipped: gpulint.yaml", ran.err)
        self.assertRegex(ran.err, r"gpulint: joined: a/node.yaml, a/pod.yaml.*: the nodes of a/node.yaml are the nearest")
        self.assertRegex(ran.err, r"gpulint: took [\d.]+ ms: reading [\d.]+ ms, checking [\d.]+ ms, writing [\d.]+ ms")
        self.assertIn("configuration: none (--no-config)", self.check("-v", "--no-config", "pod.yaml").err)
        for command in ("fix", "compile", "place", "generate", "nodes"):
            self.assertIn("gpulint: read: pod.yaml", self.run_gpulint(command, "-v", "pod.yaml").err, command)


class Terminal(Case):
    def on_terminal(self, columns, *words):
        ours, theirs = pty.openpty()
        variables = {"PATH": os.environ["PATH"], "TERM": "xterm", "NO_COLOR": "1"}
        subprocess.run(["stty", "cols", str(columns)], stdin=theirs, check=True)
        process = subprocess.Popen([GPULINT, "check", *words], cwd=self.folder, stdout=theirs, stderr=theirs, env=variables)
        return read_terminal(ours, theirs, process).replace("\r\n", "\n")

    def test_messages_break_between_words(self):
        values = "configmap: {k8s: {plugins: {k8s: {resource-tolerations: [{nvidia.com/gpu: [{key: nvidia.com/gpu, " \
                 "operator: Exists, value: present, effect: NoSchedule}]}]}}}}\n"
        self.write("values.yaml", values)
        self.write("other.yaml", "a: b\n")
        wide = self.check("values.yaml", "other.yaml")
        for columns in (50, 70):
            narrow = self.on_terminal(columns, "values.yaml", "other.yaml")
            self.assertTrue(all(len(line) <= columns for line in narrow.splitlines()), narrow)
            for line in (wide.out + wide.err).splitlines():
                if " = " in line or "[" in line.split(":")[0] or line.startswith("gpulint:"):
                    self.assertIn(" ".join(line.split()), " ".join(narrow.split()))

    def test_colours_can_be_forced(self):
        self.write("pod.yaml", BROKEN_POD)
        escape = "\x1b["
        for variables in ({"FORCE_COLOR": "1"}, {"CLICOLOR_FORCE": "1"}, {"FORCE_COLOR": "1", "TERM": "dumb"}):
            self.assertIn(escape, self.check("pod.yaml", **variables).out, variables)
        for variables in ({}, {"FORCE_COLOR": "0"}, {"FORCE_COLOR": ""}, {"FORCE_COLOR": "1", "NO_COLOR": "1"}):
            self.assertNotIn(escape, self.check("pod.yaml", **variables).out, variables)
        self.assertNotIn(escape, self.check("--color", "never", "pod.yaml", FORCE_COLOR="1").out)
        self.assertIsNone(re.search(r"\x1b\]8", self.check("pod.yaml", FORCE_COLOR="1", VTE_VERSION="7006").out))


if __name__ == "__main__":
    unittest.main()
