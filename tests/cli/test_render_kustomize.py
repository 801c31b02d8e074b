"""Kustomizations that kustomize builds: a finding is on the line of the base, patch or kustomization that decides it."""
import re

from charts import NODES, RenderedCharts

DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: infer
spec:
  selector: {matchLabels: {app: infer}}
  template:
    metadata: {labels: {app: infer}}
    spec:
      tolerations:
        - key: nvidia.com/gpu
          operator: Exists
          effect: NoSchedul
      containers:
        - name: main
          image: example.com/infer:1
          resources:
            limits:
              nvidia.com/gpu: 1
"""
GPUS = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: infer}
spec:
  template:
    spec:
      containers:
        - name: main
          resources:
            limits:
              # all of a node
              nvidia.com/gpu: 1.5
"""
BASE = "resources: [deployment.yaml]\n"
GENERATED = "configMapGenerator: [{name: settings, literals: [a=b]}]\n"
PROD = """\
resources: [../../base]
namePrefix: prod-
images: [{name: example.com/infer, newTag: "2"}]
"""


class Kustomizations(RenderedCharts):
    def setUp(self):
        super().setUp()
        for path in [*(self.folder / "app").rglob("*")][::-1] + [self.folder / "app", self.folder / "mine.yaml"]:
            path.rmdir() if path.is_dir() else path.unlink()
        self.write("base/deployment.yaml", DEPLOYMENT)
        self.write("base/kustomization.yaml", BASE + GENERATED)
        self.write("overlays/prod/kustomization.yaml", PROD)

    def place_of(self, rule, *words):
        """The file, line and decider of the only finding of a rule."""
        found = [place[1:] for place in self.places("--render", *(words or ("overlays/prod",))) if place[0] == rule]
        self.assertEqual(len(found), 1, found)
        return found[0]

    def place_in(self, name, text):
        return name, [line.strip() for line in self.read(name).splitlines()].index(text) + 1, "value"

    def test_what_a_base_decides_is_its_line(self):
        ran = self.check_json("--render", "overlays/prod")
        self.assertEqual(ran.ids(), ["invalid-toleration"])
        finding = ran.json()["diagnostics"][0]
        self.assertEqual((finding["file"], finding["range"]["start"]["line"], finding["decidedBy"]),
                         self.place_in("base/deployment.yaml", "effect: NoSchedul"))
        self.assertEqual(finding["rendered"], {"chart": "overlays/prod", "template": "", "object": "Deployment/default/prod-infer",
                                               "path": "spec.template.spec.tolerations[0].effect"})

    def test_what_a_patch_decides_is_its_line(self):
        self.write("overlays/prod/gpus.yaml", GPUS)
        self.write("overlays/prod/kustomization.yaml", PROD + "patches: [{path: gpus.yaml}]\n")
        self.assertEqual(self.place_of("fractional-gpu"), self.place_in("overlays/prod/gpus.yaml", "nvidia.com/gpu: 1.5"))

    def test_what_an_inline_patch_decides_is_its_line(self):
        inline = "".join("    " + line for line in GPUS.splitlines(True))
        self.write("overlays/prod/kustomization.yaml", PROD + "patches:\n- patch: |-\n" + inline)
        self.assertEqual(self.place_of("fractional-gpu"), self.place_in("overlays/prod/kustomization.yaml", "nvidia.com/gpu: 1.5"))

    def test_what_a_json_patch_of_a_component_decides_is_its_line(self):
        self.write("gpus/kustomization.yaml", """\
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
patches:
- target: {kind: Deployment}
  patch: |-
    - op: replace
      path: /spec/template/spec/containers/0/resources/limits/nvidia.com~1gpu
      value: 2.5
""")
        self.write("overlays/prod/kustomization.yaml", PROD + "components: [../../gpus]\n")
        self.assertEqual(self.place_of("fractional-gpu"), self.place_in("gpus/kustomization.yaml", "value: 2.5"))

    def test_what_a_replacement_copies_is_the_line_of_its_source(self):
        self.write("overlays/prod/settings.yaml", """\
apiVersion: v1
kind: ConfigMap
metadata: {name: gpus}
data:
  effect: NoExecut
""")
        self.write("overlays/prod/kustomization.yaml", """\
resources: [../../base, settings.yaml]
replacements:
- source: {kind: ConfigMap, name: gpus, fieldPath: data.effect}
  targets:
  - select: {kind: Deployment}
    fieldPaths: [spec.template.spec.tolerations.0.effect]
""")
        self.assertEqual(self.place_of("invalid-toleration"), self.place_in("overlays/prod/settings.yaml", "effect: NoExecut"))

    def test_a_place_that_is_unknown_is_the_kustomization(self):
        self.write("base/deployment.yaml", DEPLOYMENT.replace("NoSchedul\n", "NoSchedule\n"))
        self.write("overlays/prod/gpus.yaml", """\
apiVersion: builtin
kind: PatchTransformer
metadata: {name: gpus}
target: {kind: Deployment}
patch: |-
  - {op: add, path: /spec/template/spec/nodeSelector, value: {nvidia.com/gpu.count: 8}}
""")
        self.write("overlays/prod/kustomization.yaml", PROD + "transformers: [gpus.yaml]\n")
        found = self.check_json("--render", ".").json()["diagnostics"]
        self.assertEqual([(each["file"], each["range"]["start"]["line"], each["decidedBy"]) for each in found],
                         [("overlays/prod/kustomization.yaml", 1, "file")])

    def test_the_files_of_a_build_are_not_checked_by_themselves(self):
        self.write("base/kustomization.yaml", BASE + "replicas: [{name: infer, count: 3}]\n")
        placed = self.run_gpulint("place", "--render", ".", "--nodes", str(self.write("nodes.yaml", NODES)))
        self.assertIn("Deployment/default/prod-infer", placed.out)
        self.assertNotIn("/infer", placed.out)
        self.place_of("invalid-toleration", ".")

    def test_why_names_the_lines_to_change(self):
        self.write("base/deployment.yaml", DEPLOYMENT.replace("NoSchedul\n", "NoSchedule\n").replace("gpu: 1\n", "gpu: 8\n"))
        ran = self.run_gpulint("why", "--render", "overlays/prod", "--nodes", str(self.write("nodes.yaml", NODES)))
        line = self.place_in("base/deployment.yaml", "nvidia.com/gpu: 8")[1]
        self.assertIn(f"required by base/deployment.yaml:{line}:", ran.out)
        self.assertIn("kustomize builds the pod; change the lines above", ran.out)

    def test_a_base_that_gpulint_builds_itself_has_no_renderings(self):
        self.write("base/kustomization.yaml", BASE)
        self.write("overlays/prod/kustomization.yaml", "resources: [../../base]\nnamePrefix: prod-\n")
        ran = self.check_json("-v", "--render", ".")
        self.assertEqual(ran.ids(), ["invalid-toleration"])
        self.assertNotIn("rendered", ran.json()["diagnostics"][0])
        self.assertIn("were rendered 0 times", ran.err)

    def test_fixes_edit_the_line_that_decides(self):
        ran = self.run_gpulint("fix", "--render", ".")
        self.assertEqual(ran.status, 0, ran)
        self.assertEqual(self.read("base/deployment.yaml"), DEPLOYMENT.replace("NoSchedul\n", "NoSchedule\n"))
        self.assertEqual(self.places("--render", "."), [])

    def test_a_base_outside_of_the_folder_is_not_edited(self):
        self.run_gpulint("fix", "--render", "overlays/prod")
        self.assertEqual(self.read("base/deployment.yaml"), DEPLOYMENT)

    def test_one_line_of_two_overlays_is_one_finding(self):
        self.write("overlays/dev/kustomization.yaml", PROD.replace("prod", "dev"))
        ran = self.check_json("--render", ".")
        self.assertEqual(ran.ids(), ["invalid-toleration"])
        rendered = ran.json()["diagnostics"][0]["rendered"]
        self.assertEqual(sorted(each["object"] for each in [rendered, *rendered["others"]]),
                         ["Deployment/default/dev-infer", "Deployment/default/prod-infer"])

    def test_comments_suppress(self):
        self.write("base/deployment.yaml", DEPLOYMENT.replace("NoSchedul\n", "NoSchedul  # gpulint: ignore[invalid-toleration] known\n"))
        self.assertEqual(self.places("--render", "."), [])

    def test_what_kustomize_refuses_is_checked_as_without_it(self):
        self.write("overlays/prod/kustomization.yaml", PROD + "- ''\ntransformers: [missing.yaml]\n".split("\n", 1)[1])
        ran = self.check_json("--render", ".")
        self.assertEqual(ran.ids(), ["invalid-toleration"])
        self.assertRegex(ran.err, r"(?m)^gpulint: overlays/prod: kustomize cannot build it: .*missing.yaml.*$")

    def test_nothing_is_downloaded(self):
        self.write("overlays/prod/kustomization.yaml", "resources: [../../base, 'https://example.com/x.yaml']\n")
        ran = self.check_json("--render", ".")
        self.assertIn("is remote, and gpulint downloads nothing", ran.err)
        self.assertEqual(ran.ids(), ["invalid-toleration"])

    def test_marks_are_in_no_output_and_no_file(self):
        before = {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}
        for name in ("text", "json", "sarif", "html"):
            self.assertIsNone(re.search(r"zq\d{4}qz", self.check("--format", name, "--render", ".").out))
        self.assertEqual(before, {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()})
