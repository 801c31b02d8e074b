"""Charts that are rendered: a finding is on the line of values or of the template that decides it."""
import json
import re
import shutil
import subprocess
import sys

from charts import CHART, DEPLOYMENT, JOB, MINE, NODES, VALUES, Charts, RenderedCharts
from support import GPULINT


class NotRendered(Charts):
    def test_a_chart_is_one_note(self):
        self.write("app/templates/job.yaml", JOB)
        ran = self.check_json("app")
        self.assertEqual(ran.ids(), ["unrendered-template"])
        finding = ran.json()["diagnostics"][0]
        self.assertEqual((finding["file"], finding["range"]["start"]["line"]), ("app/Chart.yaml", 2))
        self.assertEqual(finding["message"], "chart `app` was not rendered")
        self.assertEqual(finding["help"], "check what its templates render: `gpulint check --render app`")

    def test_the_help_names_the_nodes(self):
        self.write("nodes.yaml", NODES)
        self.assertIn("`gpulint check --render app nodes.yaml`", self.check(".").out + self.check("app", "nodes.yaml").out)

    def test_subcharts_belong_to_their_chart(self):
        self.write("app/charts/sub/Chart.yaml", CHART.replace("app", "sub"))
        self.write("app/charts/sub/templates/pod.yaml", "kind: Pod\nlimits: {nvidia.com/gpu: {{ .Values.gpus }}}\n")
        self.assertEqual([place[:2] for place in self.places("app")], [("unrendered-template", "app/Chart.yaml")])

    def test_the_values_alone_may_name_gpus(self):
        template = "kind: Pod\nspec: {resources: {{ toYaml .Values.resources }}}\n"
        for name in ("_helpers.tpl", "deployment.yaml"):
            (self.folder / "app/templates" / name).unlink()
        self.write("app/templates/pod.yaml", template)
        self.write("app/values.yaml", "resources: {limits: {nvidia.com/gpu: 1}}\n")
        self.assertEqual(self.check_json("app").ids(), ["unrendered-template"])
        self.write("app/values.yaml", "resources: {limits: {cpu: 1}}\n")
        self.assertEqual(self.check_json("app").ids(), [])

    def test_a_chart_without_gpus_has_no_note(self):
        self.write("app/values.yaml", "replicas: 1\nresources: {}\ntolerations: []\nnodeSelector: {}\n")
        self.write("app/templates/_helpers.tpl", "")
        (self.folder / "mine.yaml").unlink()
        self.assertEqual(self.check_json(".").ids(), [])

    def test_a_template_without_its_chart_stays_a_finding(self):
        self.write("other/templates/pod.yaml", "kind: Pod\nlimits: {nvidia.com/gpu: {{ .Values.gpus }}}\n")
        self.assertIn(("unrendered-template", "other/templates/pod.yaml", 2, None), self.places("other"))

    def test_without_a_renderer_the_run_says_what_to_install(self):
        for word, names in (("--render=helm", "neither helm nor kustomize"), ("--render", "pip install gpulint-render")):
            program = self.folder / "gpulint"
            shutil.copy2(GPULINT, program)  # nothing is next to this one
            ran = subprocess.run([program, "check", word, "app"], cwd=self.folder, text=True, capture_output=True,
                                 env={"PATH": "/nowhere"}, check=False)
            self.assertEqual((ran.returncode, ran.stdout), (2, ""))
            self.assertIn(names, ran.stderr)

    def test_helm_renders_where_it_is_the_only_one(self):
        self.write("bin/helm", f"""\
#!{sys.executable}
import re, sys
values = open(sys.argv[sys.argv.index("--values") + 1]).read()
effect = re.search("effect: (.*)", values)[1]
print("---\\n# Source: app/templates/deployment.yaml")
print("apiVersion: v1\\nkind: Pod\\nmetadata: {{name: " + sys.argv[2] + "}}\\nspec:")
print("  tolerations: [{{key: nvidia.com/gpu, operator: Exists, effect: " + effect + "}}]")
print("  containers: [{{name: a, resources: {{limits: {{nvidia.com/gpu: 1}}}}}}]")
""").chmod(0o755)
        program = self.folder / "gpulint"
        shutil.copy2(GPULINT, program)  # nothing is next to this one
        for word in ("--render=helm", "--render"):
            ran = subprocess.run([program, "check", "--format", "json", word, "app", "--values", "mine.yaml"], cwd=self.folder, text=True,
                                 capture_output=True, env={"PATH": str(self.folder / "bin")}, check=False)
            found = [each for each in json.loads(ran.stdout)["diagnostics"] if "decidedBy" in each]
            self.assertEqual([(each["file"], each["range"]["start"]["line"], each["decidedBy"], each["fix"]["title"]) for each in found],
                             [("mine.yaml", self.line_of("mine.yaml", "  effect: NoSchedul"), "value", "write `NoSchedule`")])
            self.assertEqual(found[0]["rendered"]["object"], "Pod/default/release-name")

    def test_without_the_option_no_program_starts(self):
        self.write("gpulint.yaml", "render:\n- {chart: app, values: [mine.yaml]}\n")
        self.write("kustomization.yaml", "helmCharts: [{name: app}]\nhelmGlobals: {chartHome: .}\n")
        program = self.folder / "bin/gpulint"
        program.parent.mkdir()
        shutil.copy2(GPULINT, program)
        for name in ("gpulint-render", "helm", "kustomize"):
            self.write("bin/" + name, f"#!/bin/sh\necho {name} >>{self.folder}/started\n").chmod(0o755)
        for word in ("check", "fix", "place", "why"):
            ran = subprocess.run([program, word, "app", "mine.yaml", "kustomization.yaml"], cwd=self.folder, text=True, check=False,
                                 capture_output=True, env={"PATH": f"{program.parent}:/usr/bin:/bin"})
            self.assertNotIn("rendered:", ran.stdout)
            self.assertFalse((self.folder / "started").exists(), word)
        subprocess.run([program, "check", "--render", "app"], cwd=self.folder, check=False, capture_output=True, env={"PATH": "/bin"})
        self.assertEqual(self.read("started"), "gpulint-render\n")  # the trap works


class Rendered(RenderedCharts):
    def test_a_value_of_the_user_is_its_line(self):
        line = self.line_of("mine.yaml", "  effect: NoSchedul")
        self.assertEqual(self.render(), [("invalid-toleration", "mine.yaml", line, "value")])

    def test_one_value_of_two_objects_is_one_finding(self):
        self.write("app/templates/job.yaml", JOB)
        ran = self.check_json("--render", "app", "--values", "mine.yaml")
        self.assertEqual(ran.ids(), ["invalid-toleration"])
        rendered = ran.json()["diagnostics"][0]["rendered"]
        self.assertEqual(rendered["chart"], "app")
        self.assertEqual(rendered["template"], "app/templates/deployment.yaml")
        self.assertEqual(rendered["object"], "Deployment/default/release-name-app")
        self.assertEqual(rendered["path"], "spec.template.spec.tolerations[0].effect")
        self.assertEqual([each["object"] for each in rendered["others"]], ["Job/default/release-name-app-job"])
        text = self.check("--render", "app", "--values", "mine.yaml").out
        self.assertIn("rendered: Deployment/default/release-name-app (app/templates/deployment.yaml), Job/default", text)

    def test_what_a_template_writes_is_the_line_of_the_template(self):
        text = DEPLOYMENT + "        - name: side\n          resources:\n            limits: {nvidia.com/gpu: 0.5}\n"
        self.write("app/templates/deployment.yaml", text)
        line = self.line_of("app/templates/deployment.yaml", "            limits: {nvidia.com/gpu: 0.5}")
        self.assertIn(("fractional-gpu", "app/templates/deployment.yaml", line, "template"), self.render())

    def test_what_a_helper_writes_is_the_line_of_the_helper(self):
        text = DEPLOYMENT.replace("        {{- toYaml . | nindent 8 }}", '        {{- include "app.toleration" $ | nindent 8 }}')
        self.write("app/templates/deployment.yaml", text)
        line = self.line_of("app/templates/_helpers.tpl", "  value: present")
        self.assertIn(("invalid-toleration", "app/templates/_helpers.tpl", line, "template"), self.render())

    def test_a_value_may_be_a_part_of_a_text_or_a_key(self):
        self.write("app/templates/job.yaml", JOB)
        (self.folder / "app/templates/deployment.yaml").unlink()
        self.write("mine.yaml", "gpu:\n  count: 1.5\n")
        self.assertEqual(self.render(), [("fractional-gpu", "mine.yaml", 2, "value")])
        self.write("mine.yaml", "gpu:\n  type: alpha.kubernetes.io/nvidia-gpu\n")
        self.assertIn(("mine.yaml", 2, "value"), [place[1:] for place in self.render()])

    def test_a_chart_without_values_of_the_user_shows_errors_only(self):
        self.write("app/values.yaml", VALUES.replace("tolerations: []", MINE[MINE.index("tolerations"):].rstrip()))
        findings = self.check_json("--render", "app").json()["diagnostics"]
        self.assertTrue(findings)
        self.assertEqual({each["severity"] for each in findings if "decidedBy" in each}, {"error"})

    def test_rendered_objects_run_on_the_nodes(self):
        self.write("nodes.yaml", NODES.replace("gpu: 2", "gpu: 1"))
        self.write("mine.yaml", "resources:\n  limits:\n    nvidia.com/gpu: 4\n")
        self.assertIn(("mine.yaml", 3, "value"), [place[1:] for place in self.render("nodes.yaml")])
        placed = self.run_gpulint("place", "--render", "app", "--values", "mine.yaml", "nodes.yaml")
        self.assertIn("release-name-app", placed.out)

    def test_options_are_those_of_helm(self):
        self.write("app/templates/name.yaml", """\
apiVersion: v1
kind: Pod
metadata: {name: {{ .Release.Name }}-{{ .Release.Namespace }}-{{ .Capabilities.KubeVersion.Minor }}}
spec: {containers: [{name: a, resources: {limits: {nvidia.com/gpu: 0.5}}}]}
""")
        ran = self.check_json("--render", "app", "--release", "one", "--namespace", "two", "--kube-version", "1.29.0")
        self.assertEqual([each["rendered"]["object"] for each in ran.json()["diagnostics"]], ["Pod/two/one-two-29"])

    def test_a_chart_that_does_not_render_is_not_read(self):
        self.write("app/templates/broken.yaml", "{{ required \"say a name\" .Values.name }}\n")
        self.write("pod.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\n"
                               "spec: {containers: [{name: a, resources: {limits: {nvidia.com/gpu: 0.5}}}]}\n")
        ran = self.check_json("--render", ".")
        self.assertIn("fractional-gpu", ran.ids())
        self.assertEqual([each["file"] for each in ran.json()["read"]["notRead"]], ["app"])
        self.assertIn("say a name", ran.json()["read"]["notRead"][0]["why"])
        self.assertRegex(ran.err, r"(?m)^gpulint: app: the chart does not render: .*say a name.*$")

    def test_marks_are_in_no_output_and_no_file(self):
        self.write("app/templates/job.yaml", JOB)
        words = ("--render", "app", "--values", "mine.yaml")
        before = {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}
        texts = [self.check("--format", name, *words).out for name in ("text", "json", "sarif", "html", "junit", "markdown")]
        for text in texts:
            self.assertIsNone(re.search(r"zq\d{4}qz|#@\d", text))
            self.assertNotRegex(text, r"\b200[1-9]\d\b")
        self.assertEqual(before, {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()})

    def test_places_are_those_of_files(self):
        self.write("app/templates/job.yaml", JOB + "              nvidia.com/mig-1g.5gb: 0.5\n")
        self.write("app/templates/deployment.yaml", "{{/*" + "\n" * 40 + "*/}}\n" + DEPLOYMENT)
        self.write("mine.yaml", MINE.replace("gpu: 1", "gpu: 1.5"))
        ran = self.check_json("--render", "app", "--values", "mine.yaml")
        places = [(each["file"], each["range"]) for each in ran.json()["diagnostics"] for each in [each, *each["related"]]]
        self.assertEqual({name for name, _ in places}, {"mine.yaml", "app/templates/job.yaml"})
        for name, span in places:
            lines = self.read(name).splitlines()
            line = lines[span["start"]["line"] - 1]
            self.assertIn(line[span["start"]["column"] - 1:].split()[0], ("1.5", "NoSchedul", "nvidia.com/gpu:", "nvidia.com/mig-1g.5gb:", "{{", "limits:"))

    def test_sarif_has_what_json_has(self):
        words = ("--render", "app", "--values", "mine.yaml")
        finding = self.check_json(*words).json()["diagnostics"][0]
        result = self.check("--format", "sarif", *words).json()["runs"][0]["results"][0]
        self.assertEqual(result["properties"]["rendered"], finding["rendered"])
        self.assertEqual(result["properties"]["decidedBy"], "value")
        place = result["locations"][0]["physicalLocation"]
        self.assertEqual((place["artifactLocation"]["uri"], place["region"]["startLine"]), ("mine.yaml", finding["range"]["start"]["line"]))

    def test_suppressions_in_values_and_in_templates_count(self):
        self.write("mine.yaml", MINE.replace("NoSchedul", "NoSchedul  # gpulint: ignore[invalid-toleration] on purpose"))
        self.assertEqual(self.render(), [])
        self.write("mine.yaml", "replicas: 1\n")
        side = "        - name: side\n          resources:\n            limits: {nvidia.com/gpu: 0.5}%s\n"
        self.write("app/templates/deployment.yaml", DEPLOYMENT + side % "  # gpulint: ignore[fractional-gpu] on purpose")
        self.assertEqual(self.render(), [])

    def test_a_link_out_of_the_chart_is_refused(self):
        secret = self.write("secret.yaml", "password: hunter2\n")
        (self.folder / "app/files").mkdir()
        (self.folder / "app/files/link.yaml").symlink_to(secret)
        self.write("app/templates/secret.yaml", 'kind: Secret\ndata: {a: {{ .Files.Get "files/link.yaml" | quote }}}\n')
        ran = self.check_json("--render", "app")
        self.assertIn("leads out of the chart", ran.json()["read"]["notRead"][0]["why"])
        self.assertNotIn("hunter2", ran.out + ran.err)

    def test_an_endless_chart_ends(self):
        self.write("app/templates/large.yaml", '{{ $a := "aaaaaaaa" }}{{ range until 40 }}{{ $a = printf "%s%s" $a $a }}{{ end }}{{ $a }}\n')
        ran = self.check_json("--render", "app")
        self.assertEqual([each["file"] for each in ran.json()["read"]["notRead"]], ["app"])

    def test_values_for_several_charts_need_one_chart(self):
        self.write("other/Chart.yaml", CHART.replace("app", "other"))
        ran = self.check("--render", ".", "--values", "mine.yaml")
        self.assertEqual(ran.status, 2)
        self.assertIn("--values: the inputs have 2 charts; name the folder of one", ran.err)

    def test_a_subchart_takes_values_of_its_parent(self):
        self.write("app/charts/sub/Chart.yaml", CHART.replace("app", "sub"))
        self.write("app/charts/sub/values.yaml", "gpus: 1.5\nrestart: Never\n")
        pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: sub}\nspec: {containers: [{name: a, resources: {limits: {nvidia.com/gpu: %s}}}]}\n"
        self.write("app/charts/sub/templates/pod.yaml", pod % "{{ .Values.gpus }}")
        self.write("mine.yaml", "replicas: 1\n")
        self.assertEqual(self.render(), [("fractional-gpu", "app/charts/sub/values.yaml", 1, "value")])
        self.write("mine.yaml", "sub:\n  gpus: 2.5\n")
        self.assertEqual(self.render(), [("fractional-gpu", "mine.yaml", 2, "value")])
