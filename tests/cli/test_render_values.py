"""Values that the tree has for its charts: in gpulint.yaml, releases, helmfiles and kustomizations."""
from charts import MINE, RenderedCharts

INDENTED = "".join("    " + line for line in MINE.splitlines(True))
BAD = "  effect: NoSchedul"


class Values(RenderedCharts):
    def setUp(self):
        super().setUp()
        (self.folder / "mine.yaml").unlink()

    def finding(self, *words):
        """The only finding of a value, and what was rendered."""
        ran = self.check_json("--render", *(words or (".",)))
        found = [each for each in ran.json()["diagnostics"] if "decidedBy" in each]
        self.assertEqual([each["id"] for each in found], ["invalid-toleration"], ran)
        return found[0]

    def check_place(self, name, finding=None):
        """The finding is on the line of the effect."""
        finding = finding or self.finding()
        lines = [line.strip() for line in self.read(name).splitlines()]
        self.assertEqual((finding["file"], finding["range"]["start"]["line"], finding["decidedBy"]),
                         (name, lines.index(BAD.strip()) + 1, "value"))
        self.assertEqual(finding["fix"]["edits"][0]["file"], name)
        return finding["rendered"]["object"]

    def test_of_the_configuration(self):
        self.write("env/prod.yaml", MINE)
        self.write("gpulint.yaml", "render:\n- {chart: app, values: [env/prod.yaml], namespace: prod, release: one}\n")
        self.assertEqual(self.check_place("env/prod.yaml"), "Deployment/prod/one-app")

    def test_of_a_helm_release(self):
        self.write("release.yaml", """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: one, namespace: prod}
spec:
  chart: {spec: {chart: ./app, sourceRef: {kind: GitRepository, name: a}}}
  values:
""" + INDENTED)
        self.assertEqual(self.check_place("release.yaml"), "Deployment/prod/one-app")
        self.run_gpulint("fix", "--render", ".")
        self.assertIn("      effect: NoSchedule\n", self.read("release.yaml"))

    def test_of_an_object_that_a_helm_release_names(self):
        self.write("release.yaml", """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: one}
spec:
  chart: {spec: {chart: ./app, sourceRef: {kind: GitRepository, name: a}}}
  valuesFrom: [{kind: ConfigMap, name: theirs}]
---
apiVersion: v1
kind: ConfigMap
metadata: {name: theirs}
data:
  values.yaml: |
""" + INDENTED)
        self.assertEqual(self.check_place("release.yaml"), "Deployment/default/one-app")

    def test_of_an_application(self):
        self.write("app/prod.yaml", MINE)
        self.write("application.yaml", """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: one}
spec:
  destination: {namespace: prod}
  source:
    repoURL: https://example.com/us.git
    path: app
    helm:
      valueFiles: [prod.yaml]
""")
        self.assertEqual(self.check_place("app/prod.yaml"), "Deployment/prod/one-app")

    def test_of_values_as_text_in_an_application_set(self):
        self.write("set.yaml", """\
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: one}
spec:
  template:
    metadata: {name: one}
    spec:
      source:
        repoURL: https://example.com/us.git
        path: app
        helm:
          values: |
""" + "".join("        " + line for line in INDENTED.splitlines(True)))
        self.check_place("set.yaml")

    def test_of_a_helmfile(self):
        self.write("deploy/prod.yaml", MINE)
        self.write("deploy/helmfile.yaml", """\
releases:
- name: one
  namespace: prod
  chart: ../app
  values: [prod.yaml, {replicas: 2}]
""")
        finding = self.finding()
        self.assertEqual((finding["file"], finding["fix"]), ("deploy/prod.yaml", None))
        self.assertEqual(finding["rendered"]["object"], "Deployment/prod/one-app")

    def test_of_single_settings(self):
        self.write("application.yaml", """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: one}
spec:
  source:
    path: app
    helm:
      valuesObject: {resources: {limits: {cpu: 2}}}
      parameters:
      - name: replicas
        value: "2"
      - name: resources.limits.nvidia\\.com/gpu
        value: "1.5"
""")
        found = [each for each in self.check_json("--render", ".").json()["diagnostics"] if "decidedBy" in each]
        self.assertEqual([(each["id"], each["file"], each["range"]["start"]["line"], each["decidedBy"], each["fix"]) for each in found],
                         [("fractional-gpu", "application.yaml", 13, "value", None)])

    def test_of_a_kustomization(self):
        self.write("kustomization.yaml", """\
helmGlobals: {chartHome: .}
helmCharts:
- name: app
  releaseName: one
  namespace: prod
  valuesInline:
""" + INDENTED)
        self.assertEqual(self.check_place("kustomization.yaml"), "Deployment/prod/one-app")

    def test_two_releases_of_one_chart(self):
        for name in ("a", "b"):
            self.write(name + ".yaml", MINE.replace("gpu: 1", "gpu: " + ("1" if name == "a" else "1.5"))
                       .replace("NoSchedul", "NoSchedule"))
        self.write("gpulint.yaml", "render:\n- {chart: app, values: [a.yaml], release: a}\n- {chart: app, values: [b.yaml], release: b}\n")
        found = [each for each in self.check_json("--render", ".").json()["diagnostics"] if "decidedBy" in each]
        self.assertEqual([(each["id"], each["file"], each["rendered"]["object"]) for each in found],
                         [("fractional-gpu", "b.yaml", "Deployment/default/b-app")])

    def test_settings_in_lists_are_not_read(self):
        self.write("application.yaml", """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: one}
spec:
  source:
    repoURL: https://example.com/us.git
    path: app
    helm:
      parameters: [{name: "tolerations[0].key", value: a}]
""")
        not_read = self.check_json("--render", ".").json()["read"]["notRead"]
        self.assertEqual([each["file"] for each in not_read], ["app"])
        self.assertIn("application.yaml:9 has values that gpulint does not read", not_read[0]["why"])

    def test_values_outside_of_the_tree_are_refused(self):
        self.write("tree/app/Chart.yaml", self.read("app/Chart.yaml"))
        self.write("secret.yaml", MINE)
        self.write("tree/gpulint.yaml", "render:\n- {chart: app, values: [../secret.yaml]}\n")
        ran = self.check_json("--render", ".", folder=self.folder / "tree")
        self.assertIn("outside of the repository", ran.json()["read"]["notRead"][0]["why"])
        ran = self.check_json("--render", "--allow-outside", ".", folder=self.folder / "tree")
        self.assertEqual(ran.json()["read"]["notRead"], [])

    def test_options_take_precedence(self):
        self.write("env.yaml", "replicas: 2\n")
        self.write("mine.yaml", MINE)
        self.write("gpulint.yaml", "render:\n- {chart: app, values: [env.yaml]}\n")
        self.check_place("mine.yaml", self.finding("app", "--values", "mine.yaml"))

    def test_an_entry_without_its_chart_or_values_is_a_finding(self):
        self.write("gpulint.yaml", "render:\n- {chart: apps, values: [mine.yml]}\n")
        self.write("mine.yaml", MINE)
        found = [each for each in self.check_json(".").json()["diagnostics"] if each["id"] == "unmatched-config-path"]
        self.assertEqual([(each["message"], each["help"]) for each in found],
                         [("`apps` in `render.chart` matches no file", "did you mean `app`?"),
                          ("`mine.yml` in `render.values` matches no file", "did you mean `mine.yaml`?")])

    def test_an_entry_needs_a_chart(self):
        self.write("gpulint.yaml", "render:\n- {values: [a.yaml]}\n")
        ran = self.check("app")
        self.assertEqual(ran.status, 2)
        self.assertIn("an entry of `render` needs a `chart`", ran.err)
