"""Fixes of what charts render: they edit the user's values, and only if rendering again proves them."""
from charts import JOB, VALUES, RenderedCharts

MISTAKES = """\
resources:
  requests:
    nvidia.com/gpu: 2  # too many
  limits:
    nvidia.com/gpu: 1
tolerations:
# of the team
- key: nvidia.com/gpu
  operator: Exists
  value: present
  effect: 'NoSchedul'
"""
FIXED = """\
resources:
  requests:
    nvidia.com/gpu: 1  # too many
  limits:
    nvidia.com/gpu: 1
tolerations:
# of the team
- key: nvidia.com/gpu
  operator: Exists
  effect: 'NoSchedule'
"""


class Fixes(RenderedCharts):
    words = ("--render", "app", "--values", "mine.yaml")

    def fixes(self):
        return [each["fix"] for each in self.check_json(*self.words).json()["diagnostics"]]

    def test_fixes_are_made_in_the_values_of_the_user(self):
        self.write("app/templates/job.yaml", JOB)
        self.write("mine.yaml", MISTAKES)
        files = {fix["edits"][0]["file"] for fix in self.fixes()}
        self.assertEqual(files, {"mine.yaml"})
        before = {path: path.read_bytes() for path in (self.folder / "app").rglob("*") if path.is_file()}
        ran = self.run_gpulint("fix", "--unsafe-fixes", *self.words)
        self.assertEqual(ran.status, 0, ran)
        self.assertEqual(self.read("mine.yaml"), FIXED)
        self.assertEqual(before, {path: path.read_bytes() for path in before})
        self.assertEqual(self.check_json(*self.words).ids(), [])

    def test_a_diff_writes_nothing(self):
        self.write("mine.yaml", MISTAKES)
        ran = self.run_gpulint("fix", "--diff", *self.words)
        self.assertEqual(ran.status, 1)
        self.assertIn("--- a/mine.yaml\n+++ b/mine.yaml\n", ran.out)
        self.assertIn("-  effect: 'NoSchedul'\n+  effect: 'NoSchedule'\n", ran.out)
        self.assertEqual(self.read("mine.yaml"), MISTAKES)

    def test_only_the_highest_layer_is_edited(self):
        self.write("base.yaml", MISTAKES)
        self.write("mine.yaml", "replicas: 2\n")
        words = ("--render", "app", "--values", "base.yaml", "--values", "mine.yaml")
        findings = self.check_json(*words).json()["diagnostics"]
        self.assertEqual([each["fix"] for each in findings], [None] * 3)
        self.assertIn("In `base.yaml`, write `NoSchedule`", [each["help"].split(". ")[-1] for each in findings])
        self.run_gpulint("fix", "--unsafe-fixes", *words)
        self.assertEqual(self.read("base.yaml"), MISTAKES)

    def test_values_of_the_chart_are_not_edited(self):
        values = VALUES.replace("tolerations: []", MISTAKES[MISTAKES.index("tolerations"):].rstrip())
        self.write("app/values.yaml", values)
        self.write("mine.yaml", "replicas: 2\n")
        self.assertEqual(set(self.fixes()), {None})
        self.run_gpulint("fix", "--unsafe-fixes", *self.words)
        self.assertEqual(self.read("app/values.yaml"), values)

    def test_a_part_of_a_text_is_not_fixed(self):
        self.write("app/templates/deployment.yaml", """\
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  tolerations: [{key: a, operator: Exists, effect: "{{ .Values.start }}{{ .Values.end }}"}]
  containers: [{name: a, resources: {limits: {nvidia.com/gpu: 1}}}]
""")
        self.write("mine.yaml", "start: NoSch\nend: edul\n")
        findings = self.check_json(*self.words).json()["diagnostics"]
        self.assertEqual([(each["id"], each["file"], each["fix"]) for each in findings],
                         [("invalid-toleration", "mine.yaml", None)])
        self.assertEqual(len(findings[0]["related"]), 1)

    def test_a_fix_that_breaks_another_object_is_not_offered(self):
        self.write("app/templates/check.yaml", """\
{{- range .Values.tolerations }}
{{- if eq .effect "NoSchedule" }}{{ fail "use PreferNoSchedule" }}{{ end }}
{{- end }}
""")
        finding = self.check_json(*self.words).json()["diagnostics"][0]
        self.assertIsNone(finding["fix"])
        self.assertTrue(finding["help"].endswith(". Write `NoSchedule`"), finding["help"])

    def test_a_fix_that_causes_a_finding_is_not_offered(self):
        self.write("app/templates/pod.yaml", """\
{{- range .Values.tolerations }}
{{- if eq .effect "NoSchedule" }}
apiVersion: v1
kind: Pod
metadata: {name: p}
spec: {containers: [{name: a, resources: {limits: {nvidia.com/gpu: 0.5}}}]}
{{- end }}
{{- end }}
""")
        self.assertEqual(self.fixes(), [None])
