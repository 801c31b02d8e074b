"""Streams: `filter`, the files that parts of a stream were made of, KRM functions, the names that kubectl and Helm call."""
import json
import subprocess

from support import BROKEN_POD, GOOD_POD, GPULINT, WARNED_POD, Case

RENDERED = "---\n# Source: app/templates/empty.yaml\n---\n# Source: app/templates/pod.yaml\n"
LIST = """\
apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- apiVersion: v1
  kind: Pod
  metadata:
    name: train
    namespace: ml
    annotations:
      config.kubernetes.io/index: '2'
      config.kubernetes.io/path: 'apps/pod.yaml'
  spec: {containers: [{name: main, image: x, resources: {requests: {nvidia.com/gpu: 1}}}]}  # kept
"""


def function_config(text):
    return f"functionConfig: {{apiVersion: gpulint.dev/v1, kind: GpuLint, metadata: {{name: x}}, spec: {text}}}\n"


class Filter(Case):
    def filter(self, *words, **options):
        return self.run_gpulint("filter", *words, **options)

    def test_what_is_right_passes_byte_by_byte_and_without_a_word(self):
        for text in (GOOD_POD, "", "a: b", GOOD_POD.replace("\n", "\r\n"), "---\n# x\n---\n" + GOOD_POD + "...\n"):
            ran = subprocess.run([GPULINT, "filter"], input=text.encode(), capture_output=True, cwd=self.folder, check=False)
            self.assertEqual((ran.returncode, ran.stdout), (0, text.encode()), ran)
        self.assertEqual(self.filter(stdin=GOOD_POD).err, "")

    def test_echoes_are_left_out_where_nothing_can_be_fixed(self):
        """A fix that would be offered in UTF-8 shows what else is the same mistake."""
        pod = GOOD_POD.replace("      limits: {nvidia.com/gpu: 1}", "      nvidia.com/gpu: 1").replace(
            "spec:\n", "spec:\n  tolerations: [{key: nvidia.com/gpu, operator: Exists}]\n")
        self.write("utf8.yaml", pod)
        self.write("utf16.yaml", pod.encode("utf-16"))
        self.assertEqual(self.check_json("utf8.yaml").ids(), ["misplaced-resources"])
        ran = self.check_json("utf16.yaml")
        self.assertEqual(ran.ids(), ["misplaced-resources"], ran)
        self.assertIsNone(ran.json()["diagnostics"][0]["fix"], ran)
        before = (self.folder / "utf16.yaml").read_bytes()
        self.run_gpulint("fix", "--unsafe-fixes", "utf16.yaml")
        self.assertEqual((self.folder / "utf16.yaml").read_bytes(), before)

    def test_other_encodings_pass_as_they_came(self):
        text = "\ufeff".encode("utf-16-le") + GOOD_POD.encode("utf-16-le")
        ran = subprocess.run([GPULINT, "filter"], input=text, capture_output=True, cwd=self.folder, check=False)
        self.assertEqual((ran.returncode, ran.stdout), (0, text), ran)

    def test_what_is_wrong_is_held_back_and_told(self):
        ran = self.filter(stdin=BROKEN_POD)
        self.assertEqual((ran.status, ran.out), (1, ""), ran)
        self.assertIn("error[duplicate-key]", ran.err)

    def test_the_threshold_decides(self):
        ran = self.filter("--fail-on", "error", stdin=WARNED_POD)
        self.assertEqual((ran.status, ran.out), (0, WARNED_POD), ran)
        self.assertIn("unused-suppression", ran.err)
        self.assertEqual(self.filter(stdin=WARNED_POD).status, 1)

    def test_a_run_that_fails_passes_nothing(self):
        for words in (("--bogus",), ("gone.yaml",), ("--config", "gone.yaml"), ("--format", "bogus")):
            ran = self.filter(*words, stdin=GOOD_POD)
            self.assertEqual((ran.status, ran.out), (2, ""), (words, ran))

    def test_files_are_compared_with_the_stream(self):
        self.write("node.yaml", "apiVersion: v1\nkind: Node\nmetadata: {name: g}\nspec: {taints: [{key: gpu, effect: NoSchedule}]}\n"
                   "status: {allocatable: {nvidia.com/gpu: 1, pods: 9, cpu: 9, memory: 9Gi}}\n")
        self.assertIn("untolerated-taint", self.filter("node.yaml", stdin=GOOD_POD).err)
        self.assertIn("untolerated-taint", self.filter("--nodes", "node.yaml", stdin=GOOD_POD).err)

    def test_a_format_may_go_to_a_file(self):
        ran = self.filter("--format", "json:out.json", stdin=BROKEN_POD)
        self.assertEqual((ran.status, ran.out), (1, ""), ran)
        self.assertEqual(json.loads(self.read("out.json"))["diagnostics"][0]["id"], "duplicate-key")


class Function(Case):
    def results(self, text):
        """Status and the results, which are JSON a line each behind the list as it came."""
        ran = self.run_gpulint("filter", stdin=text)
        self.assertTrue(ran.out.startswith(text), ran)
        lines = ran.out[len(text):].splitlines()
        self.assertEqual(lines[:1], ["results:"] if lines else [])
        return ran.status, [json.loads(line.removeprefix("- ")) for line in lines[1:]]

    def test_findings_are_results_behind_the_list(self):
        status, results = self.results(LIST)
        self.assertEqual(status, 1)
        self.assertEqual(results, [{
            "message": "container `main` requests `nvidia.com/gpu`, but sets no limit for it", "severity": "error",
            "resourceRef": {"apiVersion": "v1", "kind": "Pod", "name": "train", "namespace": "ml"},
            "field": {"path": "spec.containers[0].resources.requests[\"nvidia.com/gpu\"]"},
            "file": {"path": "apps/pod.yaml", "index": 2}, "tags": {"rule": "gpu-limit-missing"}}])

    def test_a_right_list_is_passed_as_it_came(self):
        self.assertEqual(self.results(LIST.replace("requests", "limits")), (0, []))

    def test_a_list_on_one_line_stays_one(self):
        text = json.dumps({"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": [
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": {"containers": [
                {"name": "main", "image": "x", "resources": {"requests": {"nvidia.com/gpu": 1}}}]}}]}) + "\n"
        ran = self.run_gpulint("filter", stdin=text)
        self.assertEqual(ran.out[:len(text) - 2], text[:-2])
        self.assertEqual(json.loads(ran.out)["results"][0]["resourceRef"]["name"], "a")

    def test_its_configuration_decides(self):
        self.assertEqual(self.results(LIST + function_config("{failOn: never}"))[0], 0)
        self.assertEqual(self.results(LIST + function_config("{ignore: [gpu-limit-missing]}")), (0, []))
        self.assertEqual(self.results(LIST + function_config("{select: 'duplicate-key,yaml-syntax'}")), (0, []))
        data = "functionConfig: {apiVersion: v1, kind: ConfigMap, data: {failOn: never}}\n"
        self.assertEqual(self.results(LIST + data)[0], 0)  # as kpt writes it
        for wrong in ("{failOn: no}", "{failon: error}", "{provider: x}", "{select: bogus}", "{nodes: gone.yaml}"):
            ran = self.run_gpulint("filter", stdin=LIST + function_config(wrong))
            self.assertEqual((ran.status, ran.out), (2, ""), (wrong, ran))

    def test_the_name_says_what_to_do(self):
        (self.folder / "gpulint-krm").symlink_to(GPULINT)
        ran = subprocess.run([self.folder / "gpulint-krm"], input=LIST, text=True, capture_output=True, cwd=self.folder, check=False)
        self.assertEqual((ran.returncode, ran.stdout.startswith(LIST)), (1, True), ran)


class Origin(Case):
    def origins(self, *words, **options):
        return [found.get("origin") for found in self.check_json(*words, **options).json()["diagnostics"]]

    def test_helm_names_its_templates(self):
        self.assertEqual(self.origins("-", stdin=RENDERED + BROKEN_POD), [{"file": "app/templates/pod.yaml"}])
        self.assertEqual(self.origins("-", stdin=RENDERED + GOOD_POD + "---\n" + BROKEN_POD), [None])
        ran = self.check("-", stdin=RENDERED + BROKEN_POD)
        self.assertIn(" --> <stdin>:14:7 (from app/templates/pod.yaml)\n", ran.out)
        named = self.check("--stdin-filename", "app", "--format", "concise", "-", stdin=RENDERED + BROKEN_POD)
        self.assertIn("app:14:7: error[duplicate-key]", named.out)
        self.assertIn(" (from app/templates/pod.yaml)\n", named.out)

    def test_a_document_that_is_no_yaml_has_one_too(self):
        self.assertEqual(self.origins("-", stdin=RENDERED + "apiVersion: v1\nkind: Pod\nspec: {nvidia.com/gpu: [}\n"),
                         [{"file": "app/templates/pod.yaml"}])

    def test_items_have_paths(self):
        self.assertEqual(self.origins("-", stdin=LIST), [{"file": "apps/pod.yaml"}])
        self.assertEqual(self.origins("-", stdin=LIST.replace("config.kubernetes.io/path", "internal.config.kubernetes.io/path")),
                         [{"file": "apps/pod.yaml"}])
        origin = LIST.replace("path: 'apps/pod.yaml'", "origin: \"path: base/pod.yaml\\nref: main\\n\"")
        self.assertEqual(self.origins("-", stdin=origin), [{"file": "base/pod.yaml"}])

    def test_files_have_none(self):
        self.write("pod.yaml", RENDERED + BROKEN_POD)
        self.assertEqual(self.origins("pod.yaml"), [None])


class Names(Case):
    def run_as(self, name, *words, **variables):
        link = self.folder / name
        if not link.is_symlink():
            link.symlink_to(GPULINT)
        ran = subprocess.run([link, *words], text=True, capture_output=True, check=False, env=variables)
        return ran.stdout + ran.stderr

    def test_help_says_what_was_typed(self):
        self.assertIn("Usage: kubectl gpulint check ", self.run_as("kubectl-gpulint", "check", "--help"))
        self.assertIn("Usage: helm gpulint [", self.run_as("gpulint", "--help", HELM_PLUGIN_NAME="gpulint"))
        self.assertIn("Usage: gpulint [", self.run_as("gpulint", "--help", HELM_PLUGIN_NAME="other"))

    def test_refusals_name_what_was_typed(self):
        for words, told in ((["chek"], "did you mean `kubectl gpulint check`?"), (["help", "chek"], "did you mean `kubectl gpulint check`?"),
                            (["zzzzzzz"], "`kubectl gpulint help` lists"), (["debug"], "`kubectl gpulint debug` needs a command"),
                            (["check", "--diff"], "`kubectl gpulint check` does not accept `--diff`; `kubectl gpulint fix` does"),
                            (["check", "--zzzz"], "`kubectl gpulint check --help` lists")):
            self.assertIn(told, self.run_as("kubectl-gpulint", *words))
        self.assertIn("did you mean `helm gpulint check`?", self.run_as("gpulint", "chek", HELM_PLUGIN_NAME="gpulint"))

    def test_completions_are_answered_in_lines(self):
        complete = lambda *words: self.run_as("kubectl_complete-gpulint", *words).splitlines()
        self.assertEqual(complete("che"), ["check\tReport problems in GPU configuration", ":4"])
        self.assertEqual(complete("check", "--format", "sa"), ["sarif", ":4"])
        self.assertEqual(complete("check", "-f", "sa"), ["sarif", ":4"])
        self.assertEqual(complete("check", "--provi"), ["--provider\tCloud provider", ":4"])
        self.assertEqual(complete("check", ""), [":0"])
        self.assertEqual(complete("check", "--config", ""), [":0"])
        self.assertEqual([line.split("\t")[0] for line in complete("rule", "duplicate-k")], ["duplicate-key", ":4"])
        self.assertEqual(complete("debug", "sp"), ["spans\tPrint every scalar with its byte span", ":4"])
        self.assertIn("check\tReport problems in GPU configuration", complete())


class SelfCheck(Case):
    def test_it_tells_the_configuration_and_why(self):
        ran = self.run_gpulint("self-check")
        self.assertEqual(ran.status, 0, ran)
        self.assertRegex(ran.out, r"\Agpulint \d+\.\d+\.\d+")
        self.assertIn("configuration: none (no gpulint.yaml from the current folder up to the repository's root", ran.out)
        self.write("gpulint.yaml", "provider: gke\n")
        told = lambda *words: self.run_gpulint("self-check", "--format", "json", *words).json()["configuration"]
        self.assertEqual(told(), {"file": "gpulint.yaml", "why": "the nearest from the current folder upward", "errors": []})
        self.write("a/b.yaml", "")
        self.assertEqual(told("a/b.yaml")["file"], "gpulint.yaml")
        self.assertEqual(told("--no-config"), {"file": None, "why": "--no-config", "errors": []})

    def test_a_configuration_that_is_refused_fails(self):
        self.write("gpulint.yaml", "provider: gkee\n")
        ran = self.run_gpulint("self-check")
        self.assertEqual(ran.status, 2, ran)
        self.assertIn("gpulint.yaml:1:11", ran.err)

    def test_it_counts_what_there_is(self):
        told = self.run_gpulint("self-check", "--format", "json").json()
        rules = self.run_gpulint("rules", "--format", "json").json()
        self.assertEqual(told["rules"], len(rules["rules"] if isinstance(rules, dict) else rules))
        self.assertIn("sarif", told["formats"])
