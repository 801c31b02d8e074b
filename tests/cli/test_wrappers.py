"""Flyte values in the files of tools that install charts: found, mended, and then clean (docs/reference/flyte.md)."""
import json
import textwrap
import unittest

from support import Case

VALUES = """\
configuration:
  inline:
    plugins:
      k8s:
        gpu_device_node_label: k8s.amazonaws.com/accelerator
        resource-tolerations:
          - nvidia.com/gpu:
              - {key: nvidia.com/gpu, operator: Equal, value: true, effect: NoSchedule}
"""
GOOD_VALUES = VALUES.replace("gpu_device_node_label", "gpu-device-node-label").replace(": true", ': "true"')

# %s is where the values stand, in the indentation of the line.
WRAPPERS = {
    "helm-release.yaml": """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: flyte, namespace: flyte}
spec:
  chart: {spec: {chart: flyte-binary, sourceRef: {kind: HelmRepository, name: flyte}}}
  values:
    %s
""",
    "list-of-releases.yaml": """\
apiVersion: v1
kind: List
items:
- apiVersion: helm.toolkit.fluxcd.io/v2
  kind: HelmRelease
  metadata: {name: flyte, namespace: flyte}
  spec:
    chartRef: {kind: OCIRepository, name: flyte}
    values:
      %s
""",
    "argo-cd-object.yaml": """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: flyte, namespace: argocd}
spec:
  source:
    chart: flyte-binary
    helm:
      valuesObject:
        %s
""",
    "argo-cd-text.yaml": """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: flyte, namespace: argocd}
spec:
  sources:
  - repoURL: https://example.com/charts.git
    path: charts/flyte-binary
    helm:
      values: |-
           %s
""",
    "helm-chart.yaml": """\
apiVersion: helm.cattle.io/v1
kind: HelmChart
metadata: {name: flyte, namespace: kube-system}
spec:
  chart: flyte-binary
  valuesContent: |
    %s
""",
    "config-map.yaml": """\
apiVersion: v1
kind: ConfigMap
metadata: {name: anything}
data:
  values.yaml: |
    %s
""",
    "umbrella.yaml": """\
global: {}
platform:
  data:
    flyte-binary:
      %s
""",
    "helmfile.yaml": """\
releases:
- name: flyte
  chart: flyteorg/flyte-binary
  values:
  - common.yaml
  -
    %s
""",
    "kustomization.yaml": """\
helmCharts:
- name: flyte-binary
  repo: https://flyteorg.github.io/flyte
  valuesInline:
    %s
""",
}


def wrapped(wrapper, values):
    line = next(line for line in wrapper.splitlines() if "%s" in line)
    return wrapper.replace(f"{line}\n", textwrap.indent(values, line[:line.index("%")]))


class Wrappers(Case):
    def test_values_are_found_and_mended(self):
        for name, wrapper in WRAPPERS.items():
            with self.subTest(name):
                text = wrapped(wrapper, VALUES)
                self.write(name, text)
                ran = self.run_gpulint("check", "--format", "json", name)
                self.assertEqual(sorted(ran.ids()), ["flyte-value-type", "unknown-flyte-key"], ran)
                for finding in ran.json()["diagnostics"]:  # at the very words
                    start = finding["range"]["start"]
                    line = text.splitlines()[start["line"] - 1]
                    word = {"flyte-value-type": "true", "unknown-flyte-key": "gpu_device_node_label"}[finding["id"]]
                    self.assertEqual(line.index(word), start["column"] - 1, ran)
                self.assertEqual(self.run_gpulint("fix", "--unsafe-fixes", name).status, 0)
                self.assertEqual(self.read(name), wrapped(wrapper, GOOD_VALUES))
                ran = self.run_gpulint("check", "--require-input", name)
                self.assertEqual((ran.status, ran.out), (0, "No problems found in 1 file\n"), ran)

    def test_terraform_is_told_and_left_alone(self):
        resource = {"type": "helm_release", "name": "flyte", "values": {"chart": "flyte-binary", "values": [VALUES]}}
        plan = {"format_version": "1.2", "terraform_version": "1.9.5",
                "planned_values": {"root_module": {"child_modules": [{"resources": [resource]}]}}}
        self.write("plan.json", json.dumps(plan))
        ran = self.run_gpulint("check", "--format", "json", "plan.json")
        self.assertEqual(sorted(ran.ids()), ["flyte-value-type", "unknown-flyte-key"], ran)
        self.run_gpulint("fix", "--unsafe-fixes", "plan.json")
        self.assertEqual(json.loads(self.read("plan.json")), plan)

    def test_values_of_a_release_are_layers(self):
        """What the first sets the second takes away, so that a pod has it no more."""
        self.write("helmfile.yaml", "releases:\n- name: flyte\n  chart: x/flyte-binary\n  values:\n"
                   "  - {configuration: {inline: {plugins: {k8s: {gpu-device-node-label: first}}}}}\n"
                   "  - {configuration: {inline: {plugins: {k8s: {gpu-device-node-label: second}}}}}\n")
        ran = self.run_gpulint("compile", "helmfile.yaml", "--task", "name=t,gpu=1,device=A100")
        self.assertEqual((ran.out.count("kind: Pod"), "key: second" in ran.out, "key: first" in ran.out),
                         (1, True, False), ran)

    def test_a_charts_name_decides(self):
        """The same values are flyte-binary's by name, and another chart's business else."""
        values = "plugins: {k8s: {gpu-device-node-label: a}}\n"
        for chart, ids in (("flyte-binary", ["misplaced-flyte-key"]), ("oci://ghcr.io/x/flyte-core:1.2",
                           ["misplaced-flyte-key"]), ("other", [])):
            text = wrapped(WRAPPERS["helm-release.yaml"], values).replace("flyte-binary", f"'{chart}'")
            self.write("release.yaml", text)
            self.assertEqual(self.run_gpulint("check", "--format", "json", "release.yaml").ids(), ids, chart)

    def test_text_that_is_no_yaml_is_told(self):
        broken = "flyte:\n  gpu: [\n"
        self.write("app.yaml", wrapped(WRAPPERS["argo-cd-text.yaml"], broken))
        self.assertEqual(self.run_gpulint("check", "--format", "json", "app.yaml").ids(), ["yaml-syntax"])
        self.write("app.yaml", wrapped(WRAPPERS["argo-cd-text.yaml"], "{{ if .gpu }}\n" + broken))
        self.assertEqual(self.run_gpulint("check", "--format", "json", "app.yaml").ids(), [])


LABEL = "configuration: {inline: {plugins: {k8s: {gpu-device-node-label: nvidia.com/gpu.product}}}}\n"
TOLERATION = """\
configuration:
  inline:
    plugins:
      k8s:
        resource-tolerations:
        - nvidia.com/gpu:
          - {key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}
"""
NODE = """\
apiVersion: v1
kind: Node
metadata: {name: gpu-1, labels: {nvidia.com/gpu.product: NVIDIA-A100-SXM4-80GB}}
spec: {taints: [{key: nvidia.com/gpu, value: present, effect: NoSchedule}]}
status: {allocatable: {nvidia.com/gpu: 8, cpu: 8, memory: 64Gi, pods: 110}}
"""
FLUX = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: flyte, namespace: flyte}
spec:
  chart: {spec: {chart: flyte-binary, sourceRef: {kind: HelmRepository, name: flyte}}}
  valuesFrom: [{kind: ConfigMap, name: elsewhere, valuesKey: more.values.yaml}]
  values:
    %s
"""
ARGO_CD = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: flyte, namespace: argocd}
spec:
  sources:
  - chart: flyte-binary
    helm:
      valueFiles: [$repo/envs/elsewhere.yaml]
      valuesObject:
        %s
  - {repoURL: https://example.com/x.git, ref: repo}
"""
KUSTOMIZE = """\
helmCharts:
- name: flyte-binary
  valuesFile: envs/elsewhere.yaml
  valuesInline:
    %s
"""
HELMFILE = """\
releases:
- name: flyte
  chart: x/flyte-binary
  values:
  - envs/elsewhere.yaml
  -
    %s
"""
CONFIG_MAP = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: elsewhere, namespace: flyte}
data:
  more.values.yaml: |
    %s
"""

# The file that installs the chart, and the one with its further values.
LAYERED = {"flux.yaml": (FLUX, "elsewhere-map.yaml", CONFIG_MAP), "argo-cd.yaml": (ARGO_CD, "envs/elsewhere.yaml", "%s\n"),
           "kustomization.yaml": (KUSTOMIZE, "envs/elsewhere.yaml", "%s\n"),
           "helmfile.yaml": (HELMFILE, "envs/elsewhere.yaml", "%s\n")}


class PartsOfValues(Case):
    """What a pod lacks, the values that are missing may give it."""

    NODE = ("apiVersion: v1\nkind: Node\nmetadata: {name: n}\nspec: {taints: [{key: nvidia.com/gpu, effect: NoSchedule}]}\n"
            "status: {allocatable: {nvidia.com/gpu: 1}}\n")
    RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: flyte, namespace: flyte}
spec:
  chart: {spec: {chart: flyte-core, sourceRef: {kind: HelmRepository, name: flyte}}}
  valuesFrom: [{kind: ConfigMap, name: elsewhere}]
  values: {configmap: {k8s: {plugins: {k8s: {gpu-device-node-label: nvidia.com/gpu.product}}}}}
"""
    UNION = "config: {k8s: {plugins: {k8s: {gpu-device-node-label: nvidia.com/gpu.product}}}}\n"

    def test_no_task_is_placed_under_them(self):
        self.write("node.yaml", self.NODE)
        for text in (self.RELEASE, self.UNION):
            self.write("values.yaml", text)
            for command in ("place", "why"):
                ran = self.run_gpulint(command, "node.yaml", "values.yaml", "--task", "name=train,gpu=1")
                self.assertEqual(ran.status, 1, ran)
                self.assertNotIn("Pod/", ran.out)
                self.assertIn("values.yaml: some of its values are not among the inputs", ran.err)
            told = self.check_json("node.yaml", "values.yaml", "--task", "name=train,gpu=1").ids()
            self.assertNotIn("untolerated-taint", told)


class Layers(Case):
    """Values of one release in several files (docs/reference/flyte.md)."""

    def each(self):
        self.write("node.yaml", NODE)
        return [(name, wrapper, other, inside) for name, (wrapper, other, inside) in LAYERED.items()]

    def test_both_files_are_one_release(self):
        """The one has the toleration, the other the label: judged alone, each would lack something."""
        for name, wrapper, other, other_wrapper in self.each():
            self.write(name, wrapped(wrapper, TOLERATION))
            self.write(other, wrapped(other_wrapper, LABEL))
            ran = self.run_gpulint("check", name, other, "node.yaml")
            self.assertEqual((ran.status, ran.out), (0, "No problems found in 3 files\n"), ran)
            self.assertIn(f"1 Flyte release ({name}, {other})", ran.err)
            pods = self.run_gpulint("compile", name, other, "--task", "name=t,gpu=1,device=X").out
            self.assertEqual((pods.count("kind: Pod"), pods.count("key: nvidia.com/gpu ")), (1, 1), pods)
            self.assertIn("key: nvidia.com/gpu.product  # plugins.k8s.gpu-device-node-label, " + other, pods)

    def test_what_stands_in_the_file_goes_over_what_it_names(self):
        for name, wrapper, other, other_wrapper in self.each():
            self.write(name, wrapped(wrapper, LABEL))
            self.write(other, wrapped(other_wrapper, LABEL.replace("nvidia.com/gpu.product", "other")))
            pods = self.run_gpulint("compile", name, other, "--task", "name=t,gpu=1,device=X").out
            self.assertIn("key: nvidia.com/gpu.product", pods)
            self.assertNotIn("key: other", pods)

    def test_kustomize_may_say_otherwise(self):
        self.write("envs/elsewhere.yaml", LABEL.replace("nvidia.com/gpu.product", "other"))
        for merge, label in (("override", "nvidia.com/gpu.product"), ("merge", "other")):
            self.write("kustomization.yaml", wrapped(KUSTOMIZE, LABEL) + f"  valuesMerge: {merge}\n")
            pods = self.run_gpulint("compile", "kustomization.yaml", "envs/elsewhere.yaml", "--task", "name=t,gpu=1,device=X").out
            self.assertEqual((pods.count("kind: Pod"), f"key: {label} " in pods), (1, True), (merge, pods))

    def test_both_are_mended(self):
        for name, wrapper, other, other_wrapper in self.each():
            bad = LABEL.replace("gpu-device-node-label", "gpu_device_node_label")
            self.write(name, wrapped(wrapper, TOLERATION.replace("resource-tolerations", "resource_tolerations")))
            self.write(other, wrapped(other_wrapper, bad))
            ran = self.run_gpulint("check", "--format", "json", name, other)
            self.assertEqual({(each["file"], each["id"]) for each in ran.json()["diagnostics"]},
                             {(name, "unknown-flyte-key"), (other, "unknown-flyte-key")}, ran)
            self.run_gpulint("fix", "--unsafe-fixes", name, other)
            self.assertEqual((self.read(name), self.read(other)), (wrapped(wrapper, TOLERATION), wrapped(other_wrapper, LABEL)))

    def test_what_is_not_there_is_open_and_told(self):
        """Neither is the toleration missing for certain, nor is the label Flyte's default."""
        for name, wrapper, _, _ in self.each():
            self.write(name, wrapped(wrapper, "configuration: {inline: {plugins: {k8s: {default-cpus: 1}}}}\n"))
            ran = self.run_gpulint("check", name, "node.yaml", "--task", "name=t,gpu=1,accelerator=A100")
            self.assertEqual((ran.status, ran.out), (0, "No problems found in 2 files\n"), ran)
            self.assertRegex(ran.err, rf"not compared: tasks of the Flyte release in {name}: .*: .*elsewhere")
        self.write("patch.yaml", wrapped(FLUX.replace("  chart:", "  # chart:").replace("  valuesFrom", "  # from"),
                                         "configuration: {inline: {plugins: {k8s: {default-cpus: 1}}}}\n"))
        self.assertEqual(self.run_gpulint("check", "patch.yaml", "node.yaml").status, 0)

    def test_what_is_said_holds_whatever_is_elsewhere(self):
        for name, wrapper, _, _ in self.each():
            self.write(name, wrapped(wrapper, LABEL))
            pods = self.run_gpulint("compile", name, "--task", "name=t,gpu=1,device=X").out
            self.assertIn("key: nvidia.com/gpu.product ", pods, name)

    def test_a_release_with_all_its_values_elsewhere(self):
        self.write("node.yaml", NODE)
        self.write("app.yaml", ARGO_CD.replace("      valuesObject:\n        %s\n", ""))
        self.write("envs/elsewhere.yaml", LABEL)
        ran = self.check("app.yaml", "envs/elsewhere.yaml")
        self.assertEqual((ran.status, ran.trouble), (0, ""), ran)
        self.assertIn("1 Flyte release (app.yaml, envs/elsewhere.yaml)", ran.err)

    def test_single_settings_are_set(self):
        """`parameters` set the label: it is not Flyte's default, and not what the values say."""
        self.write("node.yaml", NODE)
        key = "configuration.inline.plugins.k8s.gpu-device-node-label"
        app = wrapped(ARGO_CD.replace("      valueFiles: [$repo/envs/elsewhere.yaml]\n", ""), TOLERATION)
        device = ["--task", "name=t,gpu=1,device=NVIDIA-A100-SXM4-80GB"]
        self.write("app.yaml", app)
        self.assertNotEqual(self.check_json("app.yaml", "node.yaml", *device).ids(), [])  # Flyte's default fits no node
        parameters = f"      parameters: [{{name: {key}, value: nvidia.com/gpu.product}}]\n"
        self.write("app.yaml", app.replace("    helm:\n", "    helm:\n" + parameters))
        self.assertEqual(self.check_json("app.yaml", "node.yaml", *device).ids(), [])
        resource = {"type": "helm_release", "name": "flyte", "values": {
            "chart": "flyte-binary", "values": [TOLERATION], "set": [{"name": key, "value": "nvidia.com/gpu.product"}]}}
        plan = {"format_version": "1.2", "terraform_version": "1.9.5", "planned_values": {"root_module": {"resources": [resource]}}}
        self.write("plan.json", json.dumps(plan))
        self.assertEqual(self.check_json("plan.json", "node.yaml", *device).ids(), [])
        resource["values"].pop("set")
        self.write("plan.json", json.dumps(plan))
        self.assertNotEqual(self.check_json("plan.json", "node.yaml", *device).ids(), [])


if __name__ == "__main__":
    unittest.main()
