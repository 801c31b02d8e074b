"""Never green by accident: what was read, what was not, and failures of the run in machine formats."""
import json
import unittest
import xml.etree.ElementTree

from support import BROKEN_POD, GOOD_POD, WARNED_POD, Case

NODE = "apiVersion: v1\nkind: Node\nmetadata: {name: gpu-1}\nstatus: {allocatable: {nvidia.com/gpu: 1}}\n"
VALUES = "configuration: {inline: {plugins: {k8s: {gpu-resource-name: nvidia.com/gpu}}}}\n"


class Summary(Case):
    def read_line(self, *words):
        lines = [line for line in self.check(*words).err.splitlines() if line.startswith("gpulint: read:")]
        self.assertEqual(len(lines), 1)
        return lines[0].removeprefix("gpulint: read: ")

    def test_what_was_read_is_told_behind_the_findings(self):
        self.write("pod.yaml", GOOD_POD)
        self.write("node.yaml", NODE)
        self.write("values.yaml", VALUES)
        self.assertEqual(self.read_line("pod.yaml", "node.yaml", "values.yaml", "--provider", "generic"),
                         "1 node, 1 Flyte release (values.yaml), 1 workload, 1 task (assumed)")
        self.assertEqual(self.read_line("values.yaml", "--task", "name=a,gpu=1", "--task", "name=b,cpu=1"),
                         "1 Flyte release (values.yaml), 2 tasks")
        self.write("limits.yaml", "apiVersion: v1\nkind: LimitRange\nmetadata: {name: l}\n")
        self.assertEqual(self.read_line("limits.yaml"), "neither nodes nor workloads nor a Flyte release")
        self.assertEqual(self.check("-q", "pod.yaml", "node.yaml").err, "")

    def test_it_is_not_among_what_is_printed_to_standard_error(self):
        ran = self.run_gpulint("fix", "--format", "json", "-", stdin=BROKEN_POD)
        self.assertEqual(json.loads(ran.err)["summary"]["errors"], 1)

    def test_an_empty_check_does_not_say_that_all_is_well(self):
        self.write("other.yaml", "a: b\n")
        ran = self.check("other.yaml")
        self.assertEqual(ran.out, "Nothing to check in 1 file\n")
        self.assertIn("no input contains anything", ran.err)
        self.assertEqual(self.check("--require-input", "other.yaml").err.count("no input contains"), 1)

    def test_a_template_is_told_once(self):
        self.write("deployment.yaml", "spec:\n  {{- if .Values.gpu }}\n  replicas: 1\n  {{- end }}\n")
        ran = self.check("deployment.yaml")
        self.assertIn("helm template", ran.out)
        self.assertNotIn("deployment.yaml", ran.err)

    def test_other_languages_are_told_with_what_helps(self):
        self.write("workflow.py", "import flytekit\n\n\ndef train(): pass\n")
        self.assertIn("workflow.py: contains nothing that gpulint reads: it looks like Python without a task",
                      self.check("workflow.py").err)
        self.write("main.tf", 'resource "aws_eks_node_group" "gpu" {\n  name = "a: b: c"\n  x = { y: [ }\n}\n')
        ran = self.check("main.tf")
        self.assertIn("terraform show -json", ran.out + ran.err)


class NothingThere(Case):
    """Each command says what it would need, and the command that gets it."""

    def test_each_command_in_an_empty_folder(self):
        for words, told in ((["check"], "kubectl get nodes -o yaml"), (["check", "."], "--show-files"),
                            (["nodes"], "kubectl get nodes -o yaml"), (["place"], "--task name=train,gpu=1"),
                            (["compile"], "--chart"), (["generate"], "--provider"), (["init"], "kubectl get nodes -o yaml")):
            ran = self.run_gpulint(*words)
            self.assertIn(told, ran.out + ran.err, words)
        self.assertNotIn("No problems", self.check().out)

    def test_place_without_nodes(self):
        self.write("pod.yaml", GOOD_POD)
        self.assertIn("kubectl get nodes -o yaml", self.run_gpulint("place", "pod.yaml").err)

    def test_a_release_whose_values_stand_elsewhere(self):
        self.write("flyte.yaml", "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: flyte}\n"
                   "spec:\n  chart: {spec: {chart: flyte-binary}}\n  valuesFrom: [{kind: Secret, name: flyte-values}]\n")
        self.write("secret.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: flyte-values}\n"
                   "data: {values.yaml: Y29uZmlndXJhdGlvbjoge30K}\n")
        self.assertIn("flyte.yaml: contains nothing that gpulint reads: it looks like a release without values of its own",
                      self.check("flyte.yaml", "secret.yaml").err)

    def test_who_has_a_configuration_is_not_sent_to_make_one(self):
        self.write("a/nodes.yaml", NODE)
        self.write("b/pod.yaml", GOOD_POD)
        self.assertIn("run `gpulint init`", self.check(".").err)
        self.write("gpulint.yaml", "provider: generic\n")
        told = self.check(".").err
        self.assertIn("in `scopes` of gpulint.yaml", told)
        self.assertNotIn("gpulint init", told)


class FirstLines(Case):
    """The first line and the exit status agree."""

    def first_line(self, *words):
        ran = self.run_gpulint(*words)
        return ran.status, (ran.out + ran.err).splitlines()[0], ran

    def test_a_run_that_failed_says_so_first(self):
        self.write("pod.yaml", GOOD_POD)
        self.write("bad.yaml", BROKEN_POD)
        for words in (["gone.yaml"], ["*.yml"], ["pod.yaml", "gone.yaml"], ["bad.yaml", "gone.yaml"], ["gone.yaml", "none.yaml"]):
            status, line, ran = self.first_line("check", *words)
            self.assertEqual((status, line.split(":")[0]), (2, "Failed"), words)
            self.assertNotIn("No problems", ran.out)
            self.assertTrue(ran.err.startswith("gpulint: "), ran)
        self.assertIn("(and 1 more error)", line)
        self.assertEqual(self.first_line("check", "--require-input", ".", "--no-config")[0], 1)
        self.write("other/a.yaml", "a: b\n")
        self.assertEqual(self.first_line("check", "--require-input", "other")[:2],
                         (2, "Failed: no input contains anything that gpulint reads"))

    def test_a_refused_task_is_a_failure(self):
        self.write("nodes.yaml", NODE)
        self.write("values.yaml", VALUES)
        status, line, _ = self.first_line("check", "--task", "name=x,gpu=one", "nodes.yaml", "values.yaml")
        self.assertEqual((status, line.split(":")[0]), (2, "Failed"))
        self.write("pod.yaml", GOOD_POD)
        self.write("blank.yaml", "")
        for path in ("pod.yaml", "blank.yaml"):
            status, line, ran = self.first_line("check", "--task", "name=x,gpu=one", path)
            self.assertEqual((status, line.split(":")[0]), (2, "Failed"), ran)
        self.assertEqual(self.check("--task", "name=x,gpu=1", "pod.yaml").status, 0)

    def test_why_of_a_task_without_nodes_is_not_that_it_fits(self):
        self.write("pod.yaml", GOOD_POD)
        for spec in ("name=x,gpu=1", "name=x,gpu=one"):
            ran = self.run_gpulint("why", "--task", spec, "pod.yaml")
            self.assertEqual((ran.status, ran.out), (2, ""), ran)
            self.assertIn("no nodes among the inputs to place 1 task on", ran.err)

    def test_reports_for_pipelines_name_the_failure(self):
        self.assertIn("The check failed: gone.yaml", self.check("gone.yaml", "--format", "markdown").out)
        self.assertIn("::error title=gpulint failed::gone.yaml: ", self.check("gone.yaml", "--format", "github").out)
        self.assertIn("##vso[task.logissue type=error]gpulint failed: gone.yaml", self.check("gone.yaml", "--format", "azure").out)
        self.assertIn("<h1>Failed: gone.yaml", self.check("gone.yaml", "--format", "html").out)
        self.write("pod.yaml", GOOD_POD)
        for name in ("markdown", "github", "azure"):
            self.assertNotIn("failed", self.check("pod.yaml", "--format", name).out)

    def test_commands_with_nothing_to_work_on_name_what_is_missing(self):
        self.write("none/other.yaml", "a: b\n")
        self.write("py/train.py", "from flytekit import Resources, task\n\n\n@task(requests=Resources(gpu='1'))\ndef train(): ...\n")
        for name, text in (("empty", ""), ("comment", "# later\n"), ("null", "null\n"), ("pod", GOOD_POD)):
            self.write(f"{name}.yaml", text)
            ran = self.run_gpulint("compile", f"{name}.yaml")
            self.assertEqual((ran.status, ran.out), (2, ""), name)
            self.assertIn("no Flyte configuration", ran.err)
            self.assertEqual(self.run_gpulint("compile", f"{name}.yaml", "--task", "name=x,gpu=1").status, 0, name)
        for command, missing in (("why", "no workloads"), ("place", "no workloads"), ("nodes", "no nodes"),
                                 ("compile", "no Flyte configuration")):
            for paths in (["none"], ["none/other.yaml"] if command != "compile" else ["none"], []):
                ran = self.run_gpulint(command, *paths, folder=self.folder if paths else self.folder / "none")
                self.assertEqual((ran.status, ran.out), (2, ""), (command, paths))
                self.assertIn(missing, ran.err)
            ran = self.run_gpulint(command, "--format", "json", "none")
            self.assertEqual((ran.status, [value for value in ran.json().values() if value not in (1, [])]), (2, []), command)
        for command in ("why", "place"):
            for path in ("py", "py/train.py"):
                ran = self.run_gpulint(command, path)
                self.assertEqual((ran.status, ran.out), (2, ""), command)
                self.assertIn("no nodes among the inputs to place 1 task on; `kubectl get nodes", ran.err)
                self.assertNotIn("Events:", ran.err)
        self.assertEqual(self.run_gpulint("compile", "py").status, 0)

    def test_compile_says_the_same_of_a_folder_with_and_without_its_name(self):
        self.write("pod.yaml", GOOD_POD)
        self.write("mkdocs.yml", "plugins: [search]\n")
        bare, named = self.run_gpulint("compile"), self.run_gpulint("compile", ".")
        self.assertEqual((bare.status, bare.out, bare.err), (named.status, named.out, named.err))
        self.assertEqual((bare.status, bare.out), (2, ""))

    def test_why_says_once_that_there_are_no_nodes(self):
        for i in range(8):
            self.write(f"pod-{i}.yaml", GOOD_POD.replace("train}", f"train-{i}}}"))
        ran = self.run_gpulint("why", ".")
        self.assertEqual((ran.status, len(ran.out.splitlines())), (1, 3), ran)
        self.assertIn("Pod/default/train-0, ", ran.out)
        self.assertIn("Pod/default/train-4 and 3 more: no nodes among the inputs", ran.out)
        self.assertEqual(len(self.run_gpulint("why", "--format", "json", ".").json()["workloads"]), 8)

    def test_what_is_no_text_is_not_printed(self):
        self.write("bin.yaml", b"\x7fELF\x02\x01\x01\0\0\0\x07\x1b[31mnvidia.com/gpu: 1\n\0")
        self.write("bell.yaml", "a: \x07b\n")
        ran = self.check("bin.yaml")
        self.assertEqual(ran.status, 1)
        self.assertIn("the file is not text", ran.out)
        for rubbish in ("ELF", "x7f", "U+0007"):
            self.assertNotIn(rubbish, ran.out)
        self.assertIn("U+0007", self.check("bell.yaml").out)

    def test_files_that_concern_no_gpu_are_not_claimed(self):
        self.write("pod.yaml", GOOD_POD)
        self.assertEqual(self.check(".").out, "No problems found in 1 file\n")
        for name in ("a.yaml", "b.yaml"):
            self.write(name, "a: b\n")
        self.write("broken.yaml", "a: [\n")
        self.assertEqual(self.check(".").out, "No problems found: 1 of 4 files concerns GPUs\n")
        self.write("pod-2.yaml", GOOD_POD)
        self.assertEqual(self.check(".").out, "No problems found: 2 of 5 files concern GPUs\n")
        self.assertEqual(self.check("pod.yaml", "a.yaml").out, "No problems found in 2 files\n")


class ValuesOfNoChart(Case):
    """`--values` says that a file has values: one that gpulint cannot read as such is an error, however it is written."""

    VALUES = "configuration: {inline: {plugins: {k8s: {gpu-resource-name: nvidia.com/gpu}}}}\n"

    def test_what_no_chart_knows_is_refused(self):
        self.write("values.yaml", "plugins: {k8s: {gpu-device-node-label: nvidia.com/gpu.product}}\n")
        ran = self.check("--values", "values.yaml")
        self.assertEqual(ran.status, 2)
        self.assertIn("--values values.yaml: not values of flyte-core, flyte-binary or another chart", ran.err)
        self.assertEqual(self.check("--values", "values.yaml", "--chart", "flyte-binary").status, 1)

    def test_what_one_knows_is_read_however_it_is_named(self):
        self.write("values.yaml", self.VALUES)
        (self.folder / "link.yaml").symlink_to("values.yaml")
        for name in ("values.yaml", "./values.yaml", str(self.folder / "values.yaml"), "link.yaml", f"../{self.folder.name}/values.yaml"):
            for words in ((), (".",)):
                self.assertNotEqual(self.check(*words, "--values", name).status, 2, (name, words))
        self.assertNotEqual(self.check("--values", "-", stdin=self.VALUES).status, 2)
        self.write("empty.yaml", "# nothing is changed\n")
        self.assertNotEqual(self.check("--values", "empty.yaml").status, 2)


class ComparedWithNothing(Case):
    """Workloads that no nodes were compared with are counted at the end of a run."""

    def lines(self, *words):
        return [line for line in self.check(*words).err.splitlines() if "not compared with any nodes" in line]

    def test_without_nodes(self):
        self.write("pod.yaml", GOOD_POD)
        self.write("cpu.yaml", GOOD_POD.replace("nvidia.com/gpu", "cpu"))
        self.assertEqual(self.lines("cpu.yaml"), [])
        self.assertEqual(self.lines("pod.yaml"), ["gpulint: 1 workload was not compared with any nodes: "
                                                  "`kubectl get nodes -o yaml >nodes.yaml` writes those of a cluster"])
        self.write("pod-2.yaml", GOOD_POD)
        self.assertIn("2 workloads were not compared", self.lines(".")[0])
        self.assertEqual(self.check("--quiet", ".").err, "")
        self.write("nodes.yaml", NODE)
        self.assertEqual(self.lines("."), [])

    def test_tasks_without_a_release(self):
        self.write("t.py", "from flytekit import Resources, task\n\n\n@task(requests=Resources(gpu='1'))\ndef train(): ...\n\n\n"
                           "@task(requests=Resources(cpu='1'))\ndef clean(): ...\n")
        self.assertIn("1 workload was not compared with any nodes", self.lines("t.py")[0])

    def test_where_the_configuration_names_nodes(self):
        self.write("infra/nodes.yaml", NODE)
        self.write("teams/nlp/pod.yaml", GOOD_POD)
        self.write("new/pod.yaml", GOOD_POD)
        self.write("gpulint.yaml", "nodes: [infra/*]\nworkloads: [teams/**]\n")
        self.assertEqual(self.lines("."), ["gpulint: 1 workload was not compared with any nodes, such as Pod/default/train "
                                           "(new/pod.yaml); add the files to `workloads` in gpulint.yaml"])
        self.write("gpulint.yaml", "nodes: [infra/*]\n")
        self.assertEqual(self.lines("."), [])


class MachineFormats(Case):
    def outputs(self, *words):
        """Status and the three machine formats of one run."""
        ran = self.check("-f", "json:a.json", "-f", "sarif:a.sarif", "-f", "junit:a.xml", *words)
        return (ran, json.loads(self.read("a.json")), json.loads(self.read("a.sarif"))["runs"][0]["invocations"][0],
                xml.etree.ElementTree.fromstring(self.read("a.xml")))

    def test_what_could_not_be_read_is_in_all_of_them(self):
        self.write("pod.yaml", BROKEN_POD)
        ran, document, invocation, suites = self.outputs("pod.yaml", "gone.yaml")
        self.assertEqual(ran.status, 2)
        self.assertEqual([error["file"] for error in document["errors"]], ["gone.yaml"])
        self.assertIn(document["errors"][0]["message"], ran.err)
        self.assertEqual((invocation["executionSuccessful"], invocation["exitCode"]), (False, 2))
        told = invocation["toolExecutionNotifications"][0]
        self.assertEqual(told["level"], "error")
        self.assertTrue(told["message"]["text"].startswith("gone.yaml: "))
        self.assertEqual(told["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "gone.yaml")
        self.assertEqual((suites.get("errors"), suites.get("failures"), suites.get("tests")), ("1", "1", "2"))
        self.assertEqual([case.get("name") for case in suites.iter("testcase") if case.find("error") is not None],
                         ["gone.yaml"])

    def test_nothing_read_where_input_is_required_is_a_failure(self):
        self.write("other.yaml", "a: b\n")
        ran, document, invocation, suites = self.outputs("--require-input", "other.yaml")
        self.assertEqual((ran.status, document["errors"][0]["file"]), (2, None))
        self.assertEqual((invocation["executionSuccessful"], suites.get("errors")), (False, "1"))

    def test_a_configuration_that_is_refused_is_in_all_of_them(self):
        self.write("pod.yaml", BROKEN_POD)
        for config in ("join: some\n", "join: [\n"):
            self.write("gpulint.yaml", config)
            ran, document, invocation, suites = self.outputs("pod.yaml")
            self.assertEqual((ran.status, document["diagnostics"], len(document["errors"])), (2, [], 1), config)
            self.assertIn(document["errors"][0]["message"], ran.err)
            self.assertEqual((invocation["executionSuccessful"], invocation["exitCode"]), (False, 2))
            self.assertEqual(len(invocation["toolExecutionNotifications"]), 1)
            self.assertEqual((suites.get("errors"), suites.get("failures")), ("1", "0"))

    def test_a_configuration_that_is_not_there_and_rules_that_are_none_are_told_too(self):
        self.write("pod.yaml", BROKEN_POD)
        for words in (("--config", "gone.yaml"), ("--select", "none-such")):
            ran, document, invocation, _ = self.outputs(*words, "pod.yaml")
            self.assertEqual((ran.status, len(document["errors"]), invocation["executionSuccessful"]), (2, 1, False), words)

    def test_an_output_that_would_go_over_an_input_is_not_written(self):
        text = json.dumps({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "gpu"}})
        self.write("pod.json", text)
        self.assertEqual(self.check("-f", "json:pod.json", "pod.json").status, 2)
        self.assertEqual(self.read("pod.json"), text)

    def test_good_runs_have_no_failures(self):
        self.write("pod.yaml", GOOD_POD)
        ran, document, invocation, suites = self.outputs("pod.yaml")
        self.assertEqual((ran.status, document["errors"], invocation), (0, [], {"executionSuccessful": True}))
        self.assertEqual(suites.get("errors"), "0")

    def test_junit_fails_by_fail_on(self):
        self.write("pod.yaml", WARNED_POD)
        for fail_on, failures in (("info", "1"), ("warning", "1"), ("error", "0"), ("never", "0")):
            ran, _, _, suites = self.outputs("--fail-on", fail_on, "pod.yaml")
            self.assertEqual((ran.status, suites.get("failures"), suites.get("tests")), (int(failures), failures, "1"), fail_on)
            self.assertEqual(len(list(suites.iter("failure"))), int(failures))

    def test_gitlab_has_no_absolute_paths(self):
        self.write("work/.git/HEAD", "")
        self.write("work/sub/pod.yaml", BROKEN_POD)
        self.write("pod.yaml", BROKEN_POD)
        for path, told in (("pod.yaml", "sub/pod.yaml"), (self.folder / "work/sub/pod.yaml", "sub/pod.yaml"),
                           ("../../pod.yaml", "../pod.yaml"), (self.folder / "pod.yaml", "../pod.yaml")):
            ran = self.check("-f", "gitlab", path, folder=self.folder / "work/sub")
            self.assertEqual([each["location"]["path"] for each in json.loads(ran.out)], [told], path)


class Configuration(Case):
    def test_names_that_match_nothing_are_told_at_their_line(self):
        self.write("pod.yaml", GOOD_POD)
        self.write("gpulint.yaml", "provider: gke\nnodes: ['nodez*.yaml']\nflyte: {values: [pods.yaml]}\n")
        ran = self.check("--format", "concise", "pod.yaml")
        self.assertEqual(ran.status, 1)
        self.assertIn("gpulint.yaml:2:9: warning[unmatched-config-path]: `nodez*.yaml` in `nodes` matches no file\n", ran.out)
        self.assertIn("gpulint.yaml:3:18: warning[unmatched-config-path]", ran.out)
        self.assertIn("; did you mean `pod.yaml`?\n", ran.out)

    def test_what_is_there_counts_whether_it_is_asked_about_or_not(self):
        self.write("a/pod.yaml", GOOD_POD)
        self.write("b/node.yaml", NODE)
        self.write("gpulint.yaml", "nodes: ['b/*.yaml']\nworkloads: ['a/**']\nexclude: [gone]\n"
                   "per-file-ignores: {'a/*.yaml': [deprecated]}\n")
        for path in (".", "a", "b", "a/pod.yaml"):
            self.assertEqual(self.check_json(path).ids(), [], path)
        self.write("gpulint.yaml", "nodes: [nodes.yaml]\n")
        self.assertEqual(self.check_json("--stdin-filename", "nodes.yaml", "-", stdin=NODE).ids(), [])

    def test_rules_can_be_left_out_and_raised(self):
        self.write("pod.yaml", GOOD_POD)
        self.write("gpulint.yaml", "nodes: [gone.yaml]\nrules: {severity: {unmatched-config-path: error}}\n")
        self.assertEqual(self.check_json("pod.yaml").json()["diagnostics"][0]["severity"], "error")
        self.assertEqual(self.check_json("--ignore", "unmatched-config-path", "pod.yaml").ids(), [])


if __name__ == "__main__":
    unittest.main()
