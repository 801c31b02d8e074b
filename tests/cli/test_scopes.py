"""Scopes of gpulint.yaml: what each of their keys does, and that every file is judged in one."""
import os
import shutil
import subprocess
import unittest

from support import GPULINT, SOURCE, Case

NOBODY = 65534  # root writes everywhere
NODE = """apiVersion: v1
kind: Node
metadata: {name: a, labels: {nvidia.com/gpu.product: NVIDIA-A100-SXM4-40GB}}
spec:
  taints:
  - {key: nvidia.com/gpu, value: present, effect: NoSchedule}
status:
  allocatable: {nvidia.com/gpu: "8", cpu: "8"}
"""
WRONG_NODE = NODE.replace("NoSchedule", "NoSchedul")
POD = """apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  containers:
  - name: c
    image: x
    resources: {requests: {nvidia.com/gpu: 1}}
"""


class Scopes(Case):
    def found(self, *words):
        return sorted(self.check_json(*words).ids())

    def test_a_stray_file_is_no_second_release(self):
        shutil.copytree(SOURCE / "testdata/projects/aks", self.folder / "aks")
        before = self.check_json(".", folder=self.folder / "aks")
        self.write("aks/known.json", '{"version": 1, "findings": []}\n')
        after = self.check_json(".", folder=self.folder / "aks")
        self.assertEqual(after.json()["diagnostics"], before.json()["diagnostics"], after)
        self.assertEqual(after.json()["read"]["tasks"], before.json()["read"]["tasks"], after)

    def test_nodes_are_judged_where_nothing_runs_on_them(self):
        self.write("nodes.yaml", WRONG_NODE)
        self.write("gpulint.yaml", "nodes: [nodes.yaml]\n")
        self.assertEqual(self.found(), ["invalid-toleration"])
        self.write("gpulint.yaml", "nodes: [nodes.yaml]\nworkloads: [gone/*]\n")
        self.write("other.yaml", POD.replace("requests", "limits"))
        self.assertIn("invalid-toleration", self.found())

    def test_a_file_may_hold_nodes_and_workloads(self):
        self.write("all.yaml", NODE + "---\n" + POD)
        self.write("gpulint.yaml", "nodes: [all.yaml]\nworkloads: [all.yaml]\n")
        self.assertIn("gpu-limit-missing", self.found())

    def test_a_scope_has_rules_of_its_own(self):
        self.write("a/pod.yaml", POD)
        self.write("b/pod.yaml", POD)
        for key in ("rules: {ignore: [gpu-limit-missing]}", "rules: {select: [duplicate-key]}",
                    "per-file-ignores: {a/*: [gpu-limit-missing]}", "exclude: [a/pod.yaml]"):
            self.write("gpulint.yaml", "scopes:\n- paths: [a/*]\n  " + key + "\n- paths: [b/*]\n")
            ran = self.check_json()
            self.assertEqual([f["file"] for f in ran.json()["diagnostics"]], ["b/pod.yaml"], key)
        self.write("gpulint.yaml", "scopes:\n- paths: [a/*]\n  rules: {severity: {gpu-limit-missing: info}}\n")
        told = {f["file"]: f["severity"] for f in self.check_json().json()["diagnostics"]}
        self.assertEqual(told, {"a/pod.yaml": "info", "b/pod.yaml": "error"})

    def test_a_scope_adds_to_what_the_top_level_ignores(self):
        self.write("a/pod.yaml", POD + "nodeSelector: {}\n")
        self.write("gpulint.yaml", "rules: {ignore: [gpu-limit-missing]}\n"
                                   "scopes:\n- paths: [a/*]\n  rules: {ignore: [invalid-object]}\n")
        self.assertNotIn("gpu-limit-missing", self.found())

    def test_a_named_file_is_judged_although_a_scope_leaves_it_out(self):
        self.write("a/pod.yaml", POD)
        self.write("gpulint.yaml", "scopes:\n- paths: [a/*]\n  exclude: [a/pod.yaml]\n")
        self.assertEqual(self.found(), [])
        self.assertEqual(self.found("a/pod.yaml"), ["gpu-limit-missing"])

    def test_policies_of_a_scope_without_a_name_hold_in_it_alone(self):
        self.write("a.yaml", POD)
        self.write("b.yaml", POD)
        self.write("gpulint.yaml", "scopes:\n- paths: [a.yaml]\n  policies:\n"
                                   "  - {id: team, message: who, match: {kind: Pod},"
                                   " require: {path: metadata.labels.team, pattern: .+}}\n"
                                   "- paths: [b.yaml]\n")
        ran = self.check_json("--select", "team")
        self.assertEqual([f["file"] for f in ran.json()["diagnostics"]], ["a.yaml"])

    def test_deprecated_words_of_other_objects_are_a_setting_and_no_selection(self):
        self.write("ingress.yaml", "apiVersion: extensions/v1beta1\nkind: Ingress\nmetadata: {name: c}\n")
        self.assertEqual(self.found("--select", "deprecated"), [])
        self.assertEqual(self.found("--all-objects"), ["removed-api-version"])
        self.write("gpulint.yaml", "rules: {all-objects: true}\n")
        self.assertEqual(self.found(), ["removed-api-version"])


class StandardInput(Case):
    def test_it_stands_for_the_file_of_its_name(self):
        self.write("nodes.yaml", NODE)
        self.write("gpulint.yaml", "nodes: [nodes.yaml]\n")
        ran = self.check_json("-", "--stdin-filename", "nodes.yaml", stdin=WRONG_NODE)
        self.assertEqual(ran.ids(), ["invalid-toleration"])
        self.assertEqual(ran.json()["summary"]["files"], 1)

    def test_it_stands_for_the_file_of_its_name_in_a_tree(self):
        self.write("pod.yaml", WRONG_NODE)
        ran = self.check_json("--in-tree", "-", "--stdin-filename", "pod.yaml", stdin=NODE)
        self.assertEqual(ran.ids(), [])
        self.assertEqual(ran.json()["summary"]["files"], 1)

    def test_fix_gives_other_encodings_back_as_they_were(self):
        for encoding in ("utf-16", "utf-16-be"):
            text = ("\ufeff" if encoding.endswith("be") else "") + POD
            ran = subprocess.run([GPULINT, "fix", "-"], input=text.encode(encoding),
                                 capture_output=True, check=False)
            self.assertEqual(ran.stdout, text.encode(encoding))
            self.assertEqual(ran.returncode, 1, ran.stderr)


class Writing(Case):
    def test_what_is_not_written_is_not_reported_as_fixed(self):
        self.write("closed/pod.yaml", POD)
        self.write("pod.yaml", POD)
        os.chmod(self.folder, 0o777)
        if os.geteuid() == 0:
            os.chown(self.folder / "pod.yaml", NOBODY, os.getegid())
        os.chmod(self.folder / "closed", 0o555)
        ran = self.run_gpulint("fix", "closed/pod.yaml", "pod.yaml",
                               user=NOBODY if os.geteuid() == 0 else None)
        os.chmod(self.folder / "closed", 0o755)
        self.assertEqual(ran.status, 2, ran)
        self.assertIn("wrote 1 of 2 files with fixes", ran.err)
        self.assertIn("closed/pod.yaml:8:28", ran.out)
        self.assertNotIn("No problems found", ran.out)
        self.assertNotIn("fixed", ran.err)


if __name__ == "__main__":
    unittest.main()
