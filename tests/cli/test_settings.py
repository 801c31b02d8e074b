"""Values that are set by their path (`helm --set`), and values in base64: read, told at their line, mended where that is safe."""
import base64
import json
import unittest

from support import Case

K8S = "configuration.inline.plugins.k8s"
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
ARGO_CD = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: flyte, namespace: argocd}
spec:
  source:
    chart: flyte-binary
    helm:
      parameters:
%s"""
HELMFILE = """\
releases:
- name: flyte
  chart: flyteorg/flyte-binary
  set:
%s"""
K3S = """\
apiVersion: helm.cattle.io/v1
kind: HelmChart
metadata: {name: flyte, namespace: kube-system}
spec:
  chart: flyte-binary
  set:
%s"""


def of_list(settings, indentation=6):
    blanks = " " * indentation
    return "".join(f"{blanks}- name: {name}\n{blanks}  value: {value}\n" for name, value in settings)


def of_map(settings):
    return "".join(f"    {name}: {value}\n" for name, value in settings)


def terraform(settings):
    resource = {"type": "helm_release", "name": "flyte", "values": {
        "chart": "flyte-binary", "set": [{"name": name, "value": json.loads(value)} for name, value in settings]}}
    return json.dumps({"format_version": "1.2", "terraform_version": "1.9.5",
                       "planned_values": {"root_module": {"resources": [resource]}}}, indent=1)


# How each format writes settings, given as pairs of path and value; values are JSON strings.
FORMATS = {
    "app.yaml": lambda settings: ARGO_CD % of_list(settings),
    "helmfile.yaml": lambda settings: HELMFILE % of_list(settings, 2),
    "chart.yaml": lambda settings: K3S % of_map(settings),
    "plan.json": terraform,
}


class Settings(Case):
    def compile(self, name, text, *task):
        self.write(name, text)
        return self.run_gpulint("compile", name, *(task or ("--task", "name=t,gpu=1,device=X"))).out

    def test_what_is_set_is_in_the_pod(self):
        settings = [(f"{K8S}.gpu-device-node-label", '"example.com/device"'),
                    (f"{K8S}.resource-tolerations[0].nvidia\\.com/gpu[0].key", '"nvidia.com/gpu"'),
                    (f"{K8S}.resource-tolerations[0].nvidia\\.com/gpu[0].operator", '"Exists"')]
        for name, write in FORMATS.items():
            with self.subTest(name):
                pods = self.compile(name, write(settings))
                self.assertEqual((pods.count("kind: Pod"), "key: example.com/device" in pods), (1, True), pods)
                self.assertIn("key: nvidia.com/gpu", pods)
                self.assertIn("operator: Exists", pods)

    def test_a_setting_goes_over_the_values(self):
        for values in ("      valuesObject: {configuration: {inline: {plugins: {k8s: {gpu-device-node-label: first}}}}}\n",
                       "      values: '{configuration: {inline: {plugins: {k8s: {gpu-device-node-label: first}}}}}'\n"):
            text = (ARGO_CD % of_list([(f"{K8S}.gpu-device-node-label", "second")])) + values
            pods = self.compile("app.yaml", text)
            self.assertEqual(("key: second" in pods, "key: first" in pods), (True, False), pods)

    def test_an_unknown_key_is_told_and_renamed_in_its_path(self):
        for name, write in FORMATS.items():
            with self.subTest(name):
                text = write([(f"{K8S}.gpu_device_node_label", '"example.com/device"')])
                self.write(name, text)
                ran = self.check_json(name)
                self.assertEqual(ran.ids(), ["unknown-flyte-key"], ran)
                finding = ran.json()["diagnostics"][0]
                self.assertEqual(finding["message"], "Flyte ignores the unknown key `gpu_device_node_label`")
                line = text.splitlines()[finding["range"]["start"]["line"] - 1]
                self.assertIn(f"{K8S}.gpu_device_node_label", line)
                self.run_gpulint("fix", name)
                self.assertEqual(self.read(name), text.replace("gpu_device_node_label", "gpu-device-node-label"))
                self.assertEqual(self.check_json(name).ids(), [])

    def test_what_is_no_string_is_told_with_what_keeps_it_one(self):
        key = f"{K8S}.default-node-selector.gpu"
        for name, help_text in (("app.yaml", "forceString"), ("helmfile.yaml", "in quotes under `values`"),
                                ("chart.yaml", "`valuesContent`"), ("plan.json", 'type = "string"')):
            with self.subTest(name):
                self.write(name, FORMATS[name]([(key, '"true"')]))
                ran = self.check_json(name)
                self.assertEqual(ran.ids(), ["flyte-value-type"], ran)
                self.assertIn(help_text, ran.json()["diagnostics"][0]["help"])
        self.run_gpulint("fix", "app.yaml")
        self.assertEqual(self.read("app.yaml"), ARGO_CD % (of_list([(key, '"true"')]) + '        forceString: true\n'))
        self.assertEqual(self.check_json("app.yaml").ids(), [])

    def test_what_helm_refuses_is_told(self):
        """`a` is text, so that nothing can be set in it: Go's type assertion fails, and helm with it."""
        text = ARGO_CD % of_list([(f"{K8S}.gpu-device-node-label", "a"), (f"{K8S}.gpu-device-node-label.b", "c")])
        self.write("app.yaml", text)
        ran = self.check_json("app.yaml")
        self.assertEqual(len(ran.ids()), 1, ran)
        self.assertIn("Helm cannot set this value", ran.json()["diagnostics"][0]["message"])

    def test_what_is_not_read_leaves_the_key_open(self):
        self.write("node.yaml", NODE)
        device = ["--task", "name=t,gpu=1,device=NVIDIA-A100-SXM4-80GB"]
        entries = {"value: $ARGOCD_APP_NAME": "parameters", "path: files/label": "fileParameters",
                   'value: "{{label}}"': "parameters"}
        values = "      valuesObject:\n" + "".join(f"        {line}\n" for line in TOLERATION.splitlines())
        for entry, key in entries.items():
            text = ARGO_CD.replace("parameters", key) % f"      - name: {K8S}.gpu-device-node-label\n        {entry}\n"
            self.write("app.yaml", text + values)
            self.assertEqual(self.check_json("app.yaml", "node.yaml", *device).ids(), [], entry)
        self.write("app.yaml", ARGO_CD % of_list([(f"{K8S}.gpu-device-node-label", "other")]) + values)
        self.assertNotEqual(self.check_json("app.yaml", "node.yaml", *device).ids(), [])

    def test_no_fix_changes_what_is_around_a_value(self):
        """`operator: Exists` with a value: it would be removed in values, here the parameter would lose its value."""
        path = f"{K8S}.resource-tolerations[0].nvidia\\.com/gpu[0]"
        text = ARGO_CD % of_list([(f"{path}.key", "a"), (f"{path}.operator", "Exists"), (f"{path}.value", "b")])
        self.write("app.yaml", text)
        ran = self.check_json("app.yaml")
        self.assertEqual(ran.ids(), ["flyte-value-type"], ran)
        self.run_gpulint("fix", "--unsafe-fixes", "app.yaml")
        self.assertEqual(self.read("app.yaml"), text)


RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: flyte, namespace: flyte}
spec:
  chart: {spec: {chart: flyte-binary, sourceRef: {kind: HelmRepository, name: flyte}}}
  valuesFrom: [{kind: Secret, name: flyte-values}]
"""
SECRET = "apiVersion: v1\nkind: Secret\nmetadata: {name: flyte-values, namespace: flyte}\n%s:\n  values.yaml: %s\n"
BAD = "configuration:\n  inline:\n    plugins:\n      k8s:\n        gpu_device_node_label: a\n"


def encoded(text):
    return base64.b64encode(text.encode()).decode()


class Secrets(Case):
    def test_values_of_a_secret_are_a_layer(self):
        """In base64, on one line or several, and as they are."""
        label = "configuration: {inline: {plugins: {k8s: {gpu-device-node-label: example.com/device}}}}"
        self.write("release.yaml", RELEASE)
        for part, value in (("data", encoded(label)), ("stringData", f"'{label}'"),
                            ("data", "|-\n    " + encoded(label)[:40] + "\n    " + encoded(label)[40:])):
            self.write("secret.yaml", SECRET % (part, value))
            pods = self.run_gpulint("compile", "release.yaml", "secret.yaml", "--task", "name=t,gpu=1,device=X").out
            self.assertEqual((pods.count("kind: Pod"), "key: example.com/device" in pods), (1, True), (part, pods))

    def test_in_base64_is_told_at_the_key_and_left_alone(self):
        for value in (encoded(BAD), "|\n    " + encoded(BAD)):
            text = SECRET % ("data", value)
            self.write("secret.yaml", text)
            ran = self.check_json("secret.yaml")
            self.assertEqual(ran.ids(), ["unknown-flyte-key"], ran)
            finding = ran.json()["diagnostics"][0]
            start = finding["range"]["start"]
            self.assertEqual((start["line"], start["column"]), (5, 3), finding)
            self.assertIn("base64 -d", finding["help"])
            self.run_gpulint("fix", "--unsafe-fixes", "secret.yaml")
            self.assertEqual(self.read("secret.yaml"), text)

    def test_a_walk_finds_them(self):
        """Nothing in the file's own text speaks of GPUs."""
        self.write("release.yaml", RELEASE)
        self.write("secret.yaml", SECRET % ("data", encoded(BAD)))
        self.write("other.yaml", SECRET % ("data", encoded("service:\n  port: 80\n")))
        self.assertEqual(self.check_json(".").ids(), ["unknown-flyte-key"])

    def test_what_is_no_base64_is_silent(self):
        self.write("secret.yaml", SECRET % ("data", "'plugins: {k8s: {gpu_device_node_label: a}}'"))
        self.assertEqual(self.check_json("secret.yaml").ids(), [])


if __name__ == "__main__":
    unittest.main()
