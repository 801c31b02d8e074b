"""Formats, files, colours, quiet, statistics."""
import json
import os
import pty
import re
import subprocess
import sys

from support import BROKEN_POD, GOOD_POD, GPULINT, SOURCE, WARNED_POD, Case, read_terminal, without_summary


class Formats(Case):
    def setUp(self):
        super().setUp()
        self.write("pod.yaml", BROKEN_POD)

    def test_json_is_as_documented(self):
        ran = self.check_json("pod.yaml")
        document = ran.json()
        self.assertEqual(list(document), ["version", "tool", "diagnostics", "summary", "read", "errors"])
        self.assertEqual((document["version"], document["tool"]), (1, "gpulint"))
        self.assertEqual(document["summary"], {"files": 1, "documents": 1, "errors": 1,
                                               "warnings": 0, "infos": 0})
        finding = document["diagnostics"][0]
        begin = BROKEN_POD.rindex("limits")
        self.assertEqual(finding["range"], {
            "start": {"line": 10, "column": 7, "offset": begin},
            "end": {"line": 10, "column": 13, "offset": begin + len("limits")}})
        self.assertEqual(finding["path"], "spec.containers[0].resources.limits")
        for edit in finding["fix"]["edits"]:
            self.assertLessEqual(edit["start"], edit["end"])

    def test_several_formats_at_once(self):
        ran = self.check("--format", "text", "--format", "json:a.json", "--format", "concise:b.txt",
                         "pod.yaml")
        self.assertEqual(ran.status, 1, ran)
        self.assertIn("error[duplicate-key]", ran.out)
        self.assertEqual(json.loads(self.read("a.json"))["summary"]["errors"], 1)
        self.assertRegex(self.read("b.txt"), r"\Apod\.yaml:10:7: error\[duplicate-key\]: .*\n\Z")

    def test_every_format_that_help_names_works(self):
        help_text = self.run_gpulint("check", "--help").out
        names = re.search(r"FORMAT:FILE \(repeatable\): *([a-z0-9, \n]+?)\n  -", help_text)[1]
        for name in names.replace(",", " ").split():
            for file in ("pod.yaml", "good.yaml"):
                self.write("good.yaml", GOOD_POD)
                ran = self.check("--format", name, file)
                self.assertEqual((ran.status, ran.trouble), (int(file == "pod.yaml"), ""), (name, ran))
                again = self.check("--format", f"{name}:out", "--format", "concise", file)
                self.assertEqual(*(re.sub("<dt>command.*", "", text) for text in (self.read("out"), ran.out)), name)
                self.assertEqual(again.status, ran.status)

    def test_two_formats_to_one_place_are_refused(self):
        for words in (["--format", "text", "--format", "json"],
                      ["--format", "json:x", "--format", "text:x"],
                      ["--format", "json", "--format", "text:x", "--output", "x"]):
            self.assertEqual(self.check(*words, "pod.yaml").status, 2, words)

    def test_output_goes_to_the_file_alone(self):
        ran = self.check("--output", "out.txt", "pod.yaml")
        self.assertEqual((ran.status, ran.out), (1, ""), ran)
        self.assertIn("duplicate-key", self.read("out.txt"))

    def test_an_input_is_never_overwritten(self):
        os.symlink("pod.yaml", self.folder / "link.yaml")
        os.link(self.folder / "pod.yaml", self.folder / "hard.yaml")
        self.write("gpulint.yaml", "provider: gke\n")
        for target in ("pod.yaml", "./pod.yaml", "link.yaml", "hard.yaml", "gpulint.yaml"):
            for words in (["--output", target], ["--format", f"json:{target}"],
                          ["--write-baseline", target]):
                for inputs in (["pod.yaml"], ["."]):
                    ran = self.check(*words, *inputs)
                    self.assertEqual(ran.status, 2, (words, inputs, ran))
        self.assertEqual(self.read("pod.yaml"), BROKEN_POD)
        self.assertEqual(self.read("gpulint.yaml"), "provider: gke\n")

    def test_no_command_overwrites_what_it_reads(self):
        nodes = "apiVersion: v1\nkind: Node\nmetadata: {name: n}\nstatus: {allocatable: {nvidia.com/gpu: 1}}\n"
        texts = {"values.yaml": "configmap: {k8s: {plugins: {k8s: {gpu-resource-name: nvidia.com/gpu}}}}\n",
                 "nodes.yaml": nodes, "tasks.json": '[{"name": "t", "requests": {"gpu": "1"}}]', "pod.yaml": BROKEN_POD,
                 "known.json": '{"version": 1, "findings": []}', "gpulint.yaml": "provider: gke\n",
                 "ordinary.yaml": "just: a file\n"}
        for name, text in texts.items():
            self.write(name, text)
        for name in texts:
            os.symlink(name, self.folder / f"link-{name}")
            os.link(self.folder / name, self.folder / f"hard-{name}")
        (self.folder / "sub").mkdir()
        tasks = ["--tasks", "tasks.json"]
        runs = {"generate": ["values.yaml", "nodes.yaml", *tasks], "compile": ["--values", "values.yaml", *tasks],
                "place": ["pod.yaml", "values.yaml", "--nodes", "nodes.yaml", *tasks], "nodes": ["nodes.yaml"],
                "check": ["pod.yaml", "--baseline", "known.json", *tasks], "fix": ["pod.yaml"], "init": ["--force", "."]}
        read = {"generate": ["values.yaml", "nodes.yaml", "tasks.json"], "compile": ["values.yaml", "tasks.json"],
                "place": ["pod.yaml", "values.yaml", "nodes.yaml", "tasks.json"], "nodes": ["nodes.yaml"],
                "check": ["pod.yaml", "known.json", "tasks.json"], "fix": ["pod.yaml"],
                "init": ["values.yaml", "nodes.yaml", "pod.yaml", "ordinary.yaml"]}
        for command, words in runs.items():
            for name in read[command] + ([] if command == "init" else ["gpulint.yaml"]):
                for target in (name, f"./{name}", f"sub/../{name}", f"link-{name}", f"hard-{name}", str(self.folder / name)):
                    flags = [["--output", target]]
                    if command not in ("generate", "init"):
                        flags.append(["--format", f"json:{target}"])
                    if command == "check" and name != "known.json":
                        flags.append(["--write-baseline", target])
                    for flag in flags:
                        ran = self.run_gpulint(command, *words, *flag)
                        self.assertEqual((ran.status, ran.out), (2, ""), (command, flag, ran))
                        self.assertIn("will not be overwritten", ran.err)
                        self.assertEqual({each: self.read(each) for each in texts}, texts, (command, flag))

    def test_files_of_a_walked_folder_are_only_overwritten_where_gpulint_wrote_them(self):
        for name, text in (("pod.yaml", GOOD_POD), ("ordinary.yaml", "just: a file\n"), ("other.json", '{"version": 1}'),
                           ("list.json", '[{"a": 1}]')):
            self.write(name, text)
            for words in (["check"], ["compile"], ["place"], ["nodes"], ["generate", "--provider", "gke"]):
                ran = self.run_gpulint(*words, ".", "--output", name)
                self.assertEqual((ran.status, self.read(name)), (2, text), (words, ran))
        self.write("values.yaml", "configmap: {k8s: {plugins: {k8s: {gpu-resource-name: nvidia.com/gpu}}}}\n")
        self.write("node.yaml", "apiVersion: v1\nkind: Node\nmetadata: {name: n}\n")
        for words in (["compile", "--output", "out.yaml"], ["compile", "--format", "json:out.json"],
                      ["generate", "--provider", "gke", "--output", "generated.yaml"],
                      ["check", "--format", "gitlab:quality.json", "--format", "sarif:sarif.json", "--fail-on", "never"],
                      ["check", "--write-baseline", "known.json"], ["place", "--format", "json:place.json"],
                      ["nodes", "--format", "json:nodes.json"]):
            first = self.run_gpulint(words[0], ".", *words[1:])
            again = self.run_gpulint(words[0], ".", *words[1:])
            self.assertNotEqual(first.status, 2, (words, first))
            self.assertEqual((again.status, again.err), (first.status, first.err), words)

    def test_init_replaces_configurations_alone(self):
        self.write("gpulint.yaml", "provider: gke\n")
        self.write("other.yaml", "just: a file\n")
        (self.folder / "sub").mkdir()
        for words in (["--force", "."], ["--force", ".", "--output", "gpulint.yaml"], ["--force", ".", "--output", "sub/gpulint.yaml"]):
            ran = self.run_gpulint("init", *words)
            self.assertEqual(ran.status, 0, (words, ran))
        for target in ("pod.yaml", "other.yaml"):  # a name of ours does not make it a configuration
            for link in ("gpulint.yaml", "sub/gpulint.yaml", ".gpulint.yaml"):
                (self.folder / link).unlink(missing_ok=True)
                os.symlink(self.folder / target, self.folder / link)
                for words in (["."], [".", "--output", link]):
                    text = self.read(target)
                    ran = self.run_gpulint("init", "--force", *words)
                    self.assertEqual(self.read(target), text, (link, words))
                    if link == "gpulint.yaml" or len(words) > 1:
                        self.assertEqual(ran.status, 2, (link, words, ran))
                        self.assertIn("will not be overwritten", ran.err)

    def test_what_comes_in_by_standard_input_is_not_overwritten(self):
        with open(self.folder / "pod.yaml", encoding="utf-8") as given:
            ran = subprocess.run([GPULINT, "check", "-", "--output", "pod.yaml"], cwd=self.folder, stdin=given,
                                 capture_output=True, check=False)
        self.assertEqual((ran.returncode, self.read("pod.yaml")), (2, BROKEN_POD))

    def test_two_outputs_do_not_share_a_file(self):
        os.symlink("a.json", self.folder / "b.json")
        for words in (["--format", "json:a.json", "--format", "sarif:./a.json"],
                      ["--format", "json:a.json", "--write-baseline", "a.json"],
                      ["--format", "json:a.json", "--format", "sarif:b.json"]):
            ran = self.check(*words, "pod.yaml")
            self.assertEqual(ran.status, 2, ran)
            self.assertFalse((self.folder / "a.json").exists())

    def test_a_report_in_the_folder_is_no_input(self):
        for _ in range(2):
            ran = self.check("--format", "json", "--output", "report.json", ".")
            self.assertEqual((ran.status, ran.trouble), (1, "gpulint: wrote report.json\n"), ran)
        self.assertEqual(json.loads(self.read("report.json"))["summary"]["errors"], 1)

    def test_outputs_replace_what_was_there_and_keep_its_mode(self):
        self.write("out.txt", "x" * 10000).chmod(0o600)
        self.check("--output", "out.txt", "pod.yaml")
        self.assertNotIn("xxx", self.read("out.txt"))
        self.assertEqual((self.folder / "out.txt").stat().st_mode & 0o777, 0o600)
        self.assertEqual([path.name for path in self.folder.iterdir() if path.name.startswith(".")], [])


class Page(Case):
    def test_scripts_in_values_stay_text(self):
        evil = "</script><script>document.body.textContent='run'</script><img src=x onerror=alert(1)>"
        self.write("values.yaml", f"""\
# {evil}
configmap: {{k8s: {{plugins: {{k8s: {{
  "gpu_device_node_label{evil}": "{evil}",
  resource-tolerations: [{{"nvidia.com/gpu{evil}": [{{key: "{evil}", operator: Exists, value: "{evil}"}}]}}]}}}}}}}}
tasks: [{{limits: {{gpu: "{evil}"}}}}]
""")
        self.write("nodes.yaml", f"""\
{{apiVersion: v1, kind: Node, metadata: {{name: "{evil}", labels: {{"{evil}": "{evil}"}}}},
 spec: {{taints: [{{key: nvidia.com/gpu, value: "{evil}", effect: NoSchedule}}]}},
 status: {{allocatable: {{nvidia.com/gpu: "8"}}}}}}
---
{BROKEN_POD.replace("train:1.0", "'" + evil.replace("'", "") + "'")}""")
        self.check("--task", "name=<b>x,gpu=1", "--format", "html:page.html", "values.yaml", "nodes.yaml")
        page = self.read("page.html")
        self.assertGreater(page.count('class="finding'), 1)
        self.assertNotIn("<img", page)
        self.assertEqual(page.count("<script"), 1)
        ran = subprocess.run([sys.executable, SOURCE / "ci/check_html.py", "page.html"], cwd=self.folder,
                             capture_output=True, text=True, check=False, timeout=300)
        self.assertEqual(ran.returncode, 0, ran)
        print(ran.stdout, end="")  # where there is no browser it says so


class ForPeople(Case):
    def setUp(self):
        super().setUp()
        self.write("pod.yaml", BROKEN_POD)

    def on_terminal(self, *words, **environment):
        """What a run prints when standard output is a terminal."""
        ours, theirs = pty.openpty()
        variables = {"PATH": os.environ["PATH"], "TERM": "xterm"} | environment
        process = subprocess.Popen([GPULINT, "check", *words], cwd=self.folder, stdout=theirs,
                                   stderr=subprocess.DEVNULL, env=variables)
        return read_terminal(ours, theirs, process)

    def test_colours(self):
        escape = "\x1b["
        self.assertIn(escape, self.on_terminal("pod.yaml"))
        self.assertNotIn(escape, self.on_terminal("--color", "never", "pod.yaml"))
        self.assertNotIn(escape, self.on_terminal("pod.yaml", NO_COLOR="1"))
        self.assertIn(escape, self.on_terminal("--color", "always", "pod.yaml", NO_COLOR="1"))
        self.assertIn(escape, self.on_terminal("pod.yaml", NO_COLOR=""))
        self.assertNotIn(escape, self.on_terminal("pod.yaml", TERM="dumb"))
        self.assertNotIn(escape, self.check("pod.yaml").out)
        self.assertIn(escape, self.check("--color", "always", "pod.yaml").out)
        self.check("--output", "plain.txt", "pod.yaml")
        self.assertNotIn(escape, self.read("plain.txt"))

    def test_locations_are_links_on_terminals_that_know_them(self):
        link = f"\x1b]8;;file://{self.folder}/pod.yaml\x1b\\pod.yaml:10:7\x1b]8;;\x1b\\"
        opener = "\x1b]8;"
        for variables in ({"VTE_VERSION": "7006"}, {"TERM": "xterm-kitty"}, {"TERM_PROGRAM": "vscode"},
                          {"FORCE_HYPERLINK": "1"}):
            self.assertIn(link, self.on_terminal("pod.yaml", **variables))
        for variables in ({}, {"VTE_VERSION": "4602"}, {"TERM": "tmux-256color", "VTE_VERSION": "7006"},
                          {"VTE_VERSION": "7006", "CI": "true"}, {"VTE_VERSION": "7006", "NO_COLOR": "1"},
                          {"VTE_VERSION": "7006", "FORCE_HYPERLINK": "0"}):
            self.assertNotIn(opener, self.on_terminal("pod.yaml", **variables))
        self.assertNotIn(opener, self.check("pod.yaml", VTE_VERSION="7006").out)
        self.check("--output", "plain.txt", "pod.yaml", FORCE_HYPERLINK="1")
        self.assertNotIn(opener, self.read("plain.txt"))

    def test_quiet_prints_findings_only(self):
        loud = self.check("pod.yaml").out
        quiet = self.check("--quiet", "pod.yaml").out
        self.assertTrue(loud.startswith(quiet.rstrip("\n")), quiet)
        self.assertIn("Found 1 error", loud)
        self.assertNotIn("Found 1 error", quiet)
        self.write("good.yaml", GOOD_POD)
        ran = self.check("-q", "good.yaml")
        self.assertEqual((ran.out, ran.err), ("", ""), ran)

    def test_statistics_replace_findings(self):
        self.write("warned.yaml", WARNED_POD)
        self.write("second.yaml", BROKEN_POD)
        ran = self.check("--statistics", ".")
        self.assertEqual(ran.status, 1)
        self.assertNotIn("-->", ran.out)
        counts = [line.split()[:3] for line in ran.out.splitlines()]
        self.assertIn(["2", "error", "duplicate-key"], counts, ran)
        self.assertIn(["1", "warning", "unused-suppression"], counts, ran)
        ran = self.check_json("--statistics", ".")
        self.assertEqual(len(ran.ids()), 3)
        self.assertIn("duplicate-key", ran.err)
        self.assertEqual(ran.json()["statistics"], [
            {"id": "duplicate-key", "severity": "error", "findings": 2, "fixable": 2},
            {"id": "unused-suppression", "severity": "warning", "findings": 1, "fixable": 1}])
        self.assertNotIn("statistics", self.check_json(".").json())
        ran = self.check("--statistics", "--format", "json:report.json", ".")
        self.assertIn("duplicate-key", ran.out)

    def test_all_rules_need_no_selection(self):
        for words in (["--select", "ALL"], ["--ignore", "all"]):
            ran = self.check(*words, ".")
            self.assertEqual((ran.status, ran.out), (2, ""), ran)
            self.assertIn("all rules run without --select", ran.err)
            self.assertNotIn("did you mean", ran.err)


class ProgressBar(Case):
    def run_watched(self, count, **environment):
        """What a terminal on standard error sees of a check of many files."""
        for i in range(count):
            self.write(f"many/{i}.yaml", "---\n".join([BROKEN_POD] * 50))
        ours, theirs = pty.openpty()
        variables = {"PATH": os.environ["PATH"], "TERM": "xterm"} | environment
        with subprocess.Popen([GPULINT, "check", "--jobs", "1", "--output", "/dev/null", "many"], cwd=self.folder,
                              stdout=subprocess.DEVNULL, stderr=theirs, env=variables) as process:
            text = read_terminal(ours, theirs, process)
            self.assertEqual(process.wait(timeout=300), 1)
        return without_summary(text)

    def test_short_runs_show_none(self):
        self.assertEqual(self.run_watched(1), "")

    def test_long_runs_show_one_and_leave_no_trace(self):
        text = ""
        for count in (20, 80, 320, 1280, 5120):
            text = self.run_watched(count)
            if "%" in text:  # it took over a second
                break
        self.assertEqual(self.run_watched(count, CI="true"), "")
        self.assertEqual(self.run_watched(count, TERM="dumb"), "")
        self.assertRegex(text, r"\[#* *\] +\d+ % (reading|checking|compiling)")
        self.assertTrue(text.endswith("\r\x1b[K"), repr(text[-80:]))
