"""Flyte values in the files of tools that install charts: found, mended, and then clean (docs/compile.md)."""
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


if __name__ == "__main__":
    unittest.main()
