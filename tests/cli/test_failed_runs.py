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
        self.assertIn("no input holds anything", ran.err)
        self.assertEqual(self.check("--require-input", "other.yaml").err.count("no input holds"), 1)

    def test_a_template_is_told_once(self):
        self.write("deployment.yaml", "spec:\n  {{- if .Values.gpu }}\n  replicas: 1\n  {{- end }}\n")
        ran = self.check("deployment.yaml")
        self.assertIn("helm template", ran.out)
        self.assertNotIn("deployment.yaml", ran.err)

    def test_other_languages_are_told_with_what_helps(self):
        self.write("workflow.py", "import flytekit\n\n\ndef train(): pass\n")
        self.assertIn("workflow.py: holds nothing that gpulint reads: it looks like Python without a task",
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
        self.assertIn("flyte.yaml: holds nothing that gpulint reads: it looks like a release without values of its own",
                      self.check("flyte.yaml", "secret.yaml").err)

    def test_who_has_a_configuration_is_not_sent_to_make_one(self):
        self.write("a/nodes.yaml", NODE)
        self.write("b/pod.yaml", GOOD_POD)
        self.assertIn("run `gpulint init`", self.check(".").err)
        self.write("gpulint.yaml", "provider: generic\n")
        told = self.check(".").err
        self.assertIn("in `scopes` of gpulint.yaml", told)
        self.assertNotIn("gpulint init", told)


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
        self.assertIn("gpulint.yaml:2:9: warning[unmatched-config-path]: `nodes`: no file matches `nodez*.yaml`\n", ran.out)
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
