"""Adopting gpulint step by step: baselines, changed files."""
import json

from support import BROKEN_POD, GOOD_POD, Case

FINDING = "      limits: {nvidia.com/gpu: 1}\n"


class Baseline(Case):
    def setUp(self):
        super().setUp()
        self.write("a/pod.yaml", BROKEN_POD)
        self.write("b/pod.yaml", BROKEN_POD)

    def test_what_is_recorded_is_silent(self):
        ran = self.check("--write-baseline", "known.json", ".")
        self.assertEqual(ran.status, 0, ran)
        self.assertNotIn("duplicate-key", ran.out)
        self.assertEqual(self.check_json("--baseline", "known.json", ".").ids(), [])
        self.assertEqual(self.check("--baseline", "known.json", "a/pod.yaml", "b").status, 0)
        self.assertEqual(self.check(".").status, 1)

    def test_it_holds_whatever_the_current_folder(self):
        self.check("--write-baseline", "known.json", ".")
        ran = self.check_json("--baseline", "../known.json", ".", folder=self.folder / "a")
        self.assertEqual(ran.ids(), [], ran)

    def test_findings_may_move_within_their_file(self):
        self.check("--write-baseline", "known.json", ".")
        self.write("a/pod.yaml", "# a comment\n\n---\n" + BROKEN_POD)
        self.assertEqual(self.check_json("--baseline", "known.json", ".").ids(), [])

    def test_new_ones_are_told_even_of_a_known_rule(self):
        self.check("--write-baseline", "known.json", ".")
        self.write("a/pod.yaml", BROKEN_POD + FINDING)
        ran = self.check_json("--baseline", "known.json", ".")
        self.assertEqual((ran.status, len(ran.ids())), (1, 1), ran)
        self.write("a/pod.yaml", BROKEN_POD.replace("kind: Pod\n", "kind: Pod\nkind: Pod\n"))
        ran = self.check_json("--baseline", "known.json", ".")
        self.assertIn("`kind`", ran.json()["diagnostics"][0]["message"], ran)
        self.write("c/pod.yaml", BROKEN_POD)
        self.assertEqual(len(self.check_json("--baseline", "known.json", "c").ids()), 1)

    def test_values_named_in_messages_may_change(self):
        select = ["--select", "duplicate-key"]
        self.check(*select, "--write-baseline", "known.json", ".")
        self.write("a/pod.yaml", self.read("a/pod.yaml").replace("limits", "requests"))
        self.assertEqual(self.check_json(*select, "--baseline", "known.json", ".").ids(), [])

    def test_another_workload_of_the_file_is_new(self):
        self.write("nodes.yaml", "apiVersion: v1\nkind: Node\nmetadata: {name: gpu-1, labels: {pool: gpu}}\n"
                                 "status: {allocatable: {cpu: '8', memory: 32Gi, pods: '110', nvidia.com/gpu: '8'}}\n")
        pods = lambda old, new: "---\n".join(GOOD_POD.replace("train}", f"{name}}}").replace("spec:\n", f"spec:\n  nodeSelector: {{pool: {pool}}}\n", 1)
                                             for name, pool in (("old", old), ("new", new)))
        self.write("a/pod.yaml", pods("gone", "gpu"))
        self.check("--write-baseline", "known.json", ".")
        found = lambda: self.check_json("--baseline", "known.json", ".").ids()
        self.assertEqual(found(), [])
        self.write("a/pod.yaml", pods("lost", "gpu"))  # a value may change
        self.assertEqual(found(), [])
        self.write("a/pod.yaml", pods("gpu", "gone"))
        self.assertEqual(found(), ["unmatched-node-selector"])

    def test_another_task_that_one_line_keeps_off_is_new(self):
        self.write("nodes.yaml", "apiVersion: v1\nkind: Node\nmetadata: {name: gpu-1}\n"
                                 "spec: {taints: [{key: dedicated, value: ml, effect: NoSchedule}]}\n"
                                 "status: {allocatable: {cpu: '8', memory: 32Gi, pods: '110', nvidia.com/gpu: '8'}}\n")
        self.write("values.yaml", "configuration:\n  inline:\n    plugins:\n      k8s: {default-cpus: 500m}\n")
        run = lambda *words: self.check_json(*words, *(["--select", "untolerated-taint", "nodes.yaml", "values.yaml"]))
        tasks = lambda *names: [word for name in names for word in ("--task", f"name={name},gpu=1")]
        run("--write-baseline", "known.json", *tasks("m", "n"))
        self.assertEqual(len(run(*tasks("m", "n")).ids()), 1)  # one line, one finding
        for names in (["m", "n"], ["n", "m"], ["n"]):
            self.assertEqual(run("--baseline", "known.json", *tasks(*names)).ids(), [], names)
        for names in (["m", "n", "z"], ["z", "n"]):
            ran = run("--baseline", "known.json", *tasks(*names))
            self.assertEqual(ran.ids(), ["untolerated-taint"], names)
            self.assertIn("task `z`", ran.json()["diagnostics"][0]["message"])
        self.assertIn("1 of known.json did not occur", run("--baseline", "known.json", *tasks("m")).err)

    def test_files_of_an_earlier_run_are_no_inputs(self):
        words = ["--write-baseline", "known.json", "--format", "text", "--format", "json:report.json", "."]
        first = self.check(*words)
        self.assertEqual(first.status, 0, first)
        report = self.read("report.json")
        again = self.check(*words)
        self.assertEqual((again.status, again.out, again.err), (0, first.out, first.err))
        self.assertEqual(self.read("report.json"), report)

    def test_what_is_fixed_since_is_told(self):
        self.check("--write-baseline", "known.json", ".")
        self.write("a/pod.yaml", GOOD_POD)
        ran = self.check("--baseline", "known.json", ".")
        self.assertEqual(ran.status, 0)
        self.assertIn("1 of known.json did not occur", ran.err)

    def test_only_files_and_rules_that_were_checked_count_as_fixed(self):
        self.check("--write-baseline", "known.json", ".")
        self.write("a/pod.yaml", GOOD_POD)
        for words in (["b"], ["b/pod.yaml"], ["--in-tree", "b/pod.yaml"], ["--select", "yaml-syntax", "."]):
            ran = self.check("--baseline", "known.json", *words)
            self.assertEqual(ran.status, 0, ran)
            self.assertNotIn("did not occur", ran.err)
        (self.folder / "a/pod.yaml").unlink()
        for words in (["a"], ["."], []):
            ran = self.check("--baseline", "known.json", *words)
            self.assertIn("1 of known.json did not occur", ran.err, words)
        self.assertNotIn("did not occur", self.check("--baseline", "known.json", "b").err)

    def test_what_is_left_after_fixing_is_reduced(self):
        self.check("--write-baseline", "known.json", "a")
        for words in ([], ["--diff"]):
            ran = self.run_gpulint("fix", *words, "--format", "json", "--baseline", "known.json", "a")
            self.assertEqual((ran.status, "1 known in known.json" in ran.err), (0, True), ran)
        ran = self.run_gpulint("fix", "--format", "json", "--baseline", "known.json", ".")
        self.assertEqual([one["file"] for one in ran.json()["diagnostics"]], ["b/pod.yaml"], ran)
        ran = self.run_gpulint("fix", "--diff", "--write-baseline", "other.json", ".")
        self.assertEqual((ran.status, (self.folder / "other.json").exists()), (2, False), ran)

    def test_a_baseline_of_an_older_release_silences_what_it_silenced(self):
        nodes = """\
apiVersion: v1
kind: Node
metadata: {name: gpu-%d, labels: {nvidia.com/gpu.product: NVIDIA-A100-SXM4-80GB}}
spec: {taints: [{key: dedicated, value: "true", effect: NoSchedule}]}
status: {allocatable: {nvidia.com/gpu: 8, pods: 110}}
"""
        job = """\
apiVersion: batch/v1
kind: Job
metadata: {name: %s}
spec:
  template:
    spec:
      restartPolicy: Never
      nodeSelector: {nvidia.com/gpu.product: A100-SXM4-80GB}
      tolerations: [{key: dedicated, value: present, effect: NoSchedule}]
      containers: [{name: main, image: x, resources: {limits: {nvidia.com/gpu: 1}}}]
"""
        self.write("nodes.yaml", nodes % 0 + "---\n" + nodes % 1)
        for name in ("w1", "w2"):
            self.write(f"{name}.yaml", job % name)
        # As the release before wrote it.
        self.write("old.json", """\
{
"version": 1,
"findings": [
{"file":"w1.yaml","rule":"toleration-value-mismatch","message":"toleration of `dedicated` is for the value `present`; the taint has `true`","count":1},
{"file":"w1.yaml","rule":"unmatched-node-selector","message":"no known node satisfies `nvidia.com/gpu.product=A100-SXM4-80GB`, which Job `w1` and 1 more requires","count":1}
]
}
""")
        words = ["--baseline", "old.json", "nodes.yaml", "w1.yaml", "w2.yaml"]
        ran = self.check_json(*words)
        self.assertEqual((ran.status, ran.ids()), (0, []), ran)
        self.assertIn("4 known in old.json", ran.err)
        self.assertNotIn("did not occur", ran.err)
        self.write("w3.yaml", job % "w3")
        ran = self.check_json(*words, "w3.yaml")
        self.assertEqual(ran.ids(), ["unmatched-node-selector"], ran)

    def test_it_is_rewritten_in_place_and_the_same(self):
        self.check("--write-baseline", "known.json", ".")
        first = self.read("known.json")
        self.assertEqual(json.loads(first)["version"], 1)
        self.assertEqual(self.check("--write-baseline", "known.json", ".").status, 0)
        self.assertEqual(self.read("known.json"), first)

    def test_a_file_that_is_none_is_refused(self):
        for text in ("", "{}", "[]", "a: [", '{"version": 2, "findings": []}',
                     '{"version": 1, "findings": [{"file": "x"}]}',
                     '{"version": 1, "findings": [{"file": "x", "rule": "y", "message": "z", "count": -1}]}'):
            self.write("known.json", text)
            ran = self.check("--baseline", "known.json", "a")
            self.assertEqual((ran.status, ran.out), (2, ""), (text, ran))
            self.assertIn("known.json", ran.err)
        self.assertEqual(self.check("--baseline", "gone.json", "a").status, 2)


class ChangedSince(Case):
    def setUp(self):
        super().setUp()
        for name in ("old.yaml", "edited.yaml", "staged.yaml", "committed.yaml", "ümläut \"x\".yaml"):
            self.write(name, BROKEN_POD)
        self.write(".gitignore", "ignored.yaml\n")
        self.commit_all()

    def files(self, *words, **options):
        ran = self.check_json(*words, **options)
        return sorted(f["file"].removeprefix("./") for f in ran.json()["diagnostics"])

    def test_only_files_that_differ_count(self):
        self.assertEqual(self.files("--changed-since", "HEAD", "."), [])
        self.write("committed.yaml", BROKEN_POD + "# x\n")
        self.git("commit", "-qam", "y")
        self.write("edited.yaml", BROKEN_POD + "# x\n")
        self.write("staged.yaml", BROKEN_POD + "# x\n")
        self.write("ümläut \"x\".yaml", BROKEN_POD + "# x\n")
        self.git("add", "staged.yaml")
        self.write("sub/new.yaml", BROKEN_POD)
        changed = ["edited.yaml", "staged.yaml", "sub/new.yaml", "ümläut \"x\".yaml"]
        self.assertEqual(self.files("--changed-since", "HEAD", "."), changed)
        self.assertEqual(self.files("--changed-since", "HEAD~1", "."), ["committed.yaml", *changed])
        self.assertEqual(self.files("--changed-since", "HEAD", ".", folder=self.folder / "sub"),
                         ["new.yaml"])

    def test_revisions_that_are_none_are_refused(self):
        for revision in ("nope", "--output=/tmp/x", "-x", "HEAD:old.yaml", ""):
            ran = self.check(f"--changed-since={revision}", ".")
            if revision:
                self.assertEqual((ran.status, ran.out), (2, ""), (revision, ran))

    def test_outside_of_a_repository_it_is_refused(self):
        other = Case("run_gpulint")
        other.setUp()
        self.addCleanup(other.doCleanups)
        other.write("pod.yaml", BROKEN_POD)
        self.assertEqual(other.check("--changed-since", "HEAD", ".").status, 2)

    def test_without_git_it_is_refused(self):
        ran = self.check("--changed-since", "HEAD", ".", PATH="/nonexistent")
        self.assertEqual(ran.status, 2)
        self.assertIn("git", ran.err)

    def test_no_program_of_the_repository_is_run(self):
        self.write("evil", "#!/bin/sh\ntouch evil-ran\nexit 0\n").chmod(0o755)
        for key in ("diff.external", "core.fsmonitor", "diff.x.textconv", "core.pager"):
            self.git("config", key, str(self.folder / "evil"))
        self.write(".gitattributes", "*.yaml diff=x\n")
        self.write("edited.yaml", BROKEN_POD + "# x\n")
        self.assertEqual(self.files("--changed-since", "HEAD", "."), ["edited.yaml"])
        self.assertFalse((self.folder / "evil-ran").exists())
