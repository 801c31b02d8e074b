"""kubectl, Helm 4, kustomize and kpt with gpulint as their plugin. What is not on PATH is skipped; kustomize is built from
its Go module where Go is here."""
import json
import os
import pathlib
import shutil
import subprocess

import outside
from support import BROKEN_POD, GOOD_POD, GPULINT, SOURCE, Case

KUSTOMIZE = ("sigs.k8s.io/kustomize/kustomize/v5", "v5.8.2")
CHART = "apiVersion: v2\nname: app\nversion: 0.1.0\n"
FUNCTION = """\
apiVersion: gpulint.dev/v1
kind: GpuLint
metadata:
  name: gpulint
  annotations:
    config.kubernetes.io/function: "exec: {path: ./gpulint-krm}"
spec: {failOn: %s}
"""


def go_program(module, version, name):
    """A program of a Go module, built in a copy of the module's folder, which keeps its own pins."""
    program = outside.WORK / "go/bin" / name
    with outside.Lock():
        if program.exists() or shutil.which("go") is None:
            return program
        ran = subprocess.run(["go", "mod", "download", "-json", f"{module}@{version}"], capture_output=True, text=True,
                             timeout=300, check=False)
        folder = outside.WORK / f"go/{name}"
        if ran.returncode == 0:
            shutil.copytree(json.loads(ran.stdout)["Dir"], folder, dirs_exist_ok=True)
            subprocess.run(["chmod", "-R", "u+w", folder], check=True)
            subprocess.run(["go", "build", "-trimpath", "-o", program, "."], cwd=folder, capture_output=True,
                           timeout=900, check=False, env=dict(os.environ) | {"CGO_ENABLED": "0"})
    return program


class Plugins(Case):
    def setUp(self):
        super().setUp()
        self.bin = self.folder / "bin"
        self.bin.mkdir()
        for name in ("gpulint", "kubectl-gpulint", "kubectl_complete-gpulint"):
            (self.bin / name).symlink_to(GPULINT)
        self.variables = dict(os.environ) | {"PATH": f"{self.bin}:{os.environ['PATH']}", "HOME": str(self.folder)}

    def need(self, name):
        path = shutil.which(name)
        if path is None:
            self.skipTest(f"{name} is not here")
        return path

    def run_tool(self, *words, stdin=""):
        return subprocess.run([os.fspath(word) for word in words], cwd=self.folder, env=self.variables, input=stdin,
                              text=True, capture_output=True, timeout=120, check=False)


class Kubectl(Plugins):
    def setUp(self):
        super().setUp()
        self.need("kubectl")

    def test_it_finds_the_plugin_which_names_itself_so(self):
        self.write("pod.yaml", BROKEN_POD)
        self.assertIn("kubectl-gpulint", self.run_tool("kubectl", "plugin", "list").stdout)
        ran = self.run_tool("kubectl", "gpulint", "check", "--format", "concise", "pod.yaml")
        self.assertEqual((ran.returncode, ran.stdout.count("duplicate-key")), (1, 1), ran)
        ran = self.run_tool("kubectl", "gpulint", "check", "--help")
        self.assertIn("Usage: kubectl gpulint check", ran.stdout)

    def test_it_asks_for_completions(self):
        ran = self.run_tool("kubectl", "__complete", "gpulint", "check", "--format", "sa")
        self.assertEqual(ran.stdout.splitlines(), ["sarif", ":4"], ran)


class Helm(Plugins):
    def setUp(self):
        super().setUp()
        version = self.run_tool(self.need("helm"), "version", "--template", "{{.Version}}").stdout
        if not version.startswith("v4"):
            self.skipTest(f"helm is {version}, not 4")
        for kind in ("DATA", "CACHE", "CONFIG"):
            self.variables[f"HELM_{kind}_HOME"] = str(self.folder / "helm" / kind.lower())
        self.write("app/Chart.yaml", CHART)
        self.write("app/templates/pod.yaml", BROKEN_POD)

    def install(self, name):
        folder = self.folder / "plugins" / name
        shutil.copytree(SOURCE / "packaging/helm" / name, folder)
        text = (folder / "plugin.yaml").read_text()
        (folder / "plugin.yaml").write_text(text.replace("@VERSION@", outside.VERSION))
        (folder / "bin").mkdir()
        (folder / "bin/gpulint").symlink_to(GPULINT)
        ran = self.run_tool("helm", "plugin", "install", folder)
        self.assertEqual(ran.returncode, 0, ran)

    def test_the_plugin_checks_what_helm_renders(self):
        self.install("gpulint")
        rendered = self.run_tool("helm", "template", "t", "app").stdout
        ran = self.run_tool("helm", "gpulint", "check", "-", stdin=rendered)
        self.assertEqual(ran.returncode, 1, ran)
        self.assertIn("(from app/templates/pod.yaml)", ran.stdout)
        self.assertIn("Usage: helm gpulint check", self.run_tool("helm", "gpulint", "check", "--help").stdout)

    def test_it_is_asked_for_completions(self):
        self.install("gpulint")
        ran = self.run_tool("helm", "__complete", "gpulint", "check", "--format", "sa")
        self.assertEqual(ran.stdout.splitlines(), ["sarif", ":4"], ran)

    def test_the_post_renderer_stops_what_is_wrong_and_changes_nothing(self):
        self.install("gpulint-filter")
        ran = self.run_tool("helm", "template", "t", "app", "--post-renderer", "gpulint-filter")
        self.assertEqual((ran.returncode, ran.stdout), (1, ""), ran)
        ran = self.run_tool("helm", "template", "t", "app", "--post-renderer", "gpulint-filter",
                            "--post-renderer-args", "--fail-on", "--post-renderer-args", "never")
        self.assertEqual(ran.returncode, 0, ran)
        self.write("app/templates/pod.yaml", GOOD_POD)
        plain = self.run_tool("helm", "template", "t", "app").stdout
        ran = self.run_tool("helm", "template", "t", "app", "--post-renderer", "gpulint-filter")
        self.assertEqual((ran.returncode, ran.stdout), (0, plain), ran)


class Functions(Plugins):
    """`gpulint-krm` as kustomize and kpt run it."""

    # A duplicate key would not outlive kustomize: another error.
    WRONG_POD = GOOD_POD.replace("limits:", "requests:")

    def setUp(self):
        super().setUp()
        (self.folder / "k").mkdir()
        (self.folder / "k/gpulint-krm").symlink_to(GPULINT)
        self.write("k/lint.yaml", FUNCTION % "error")
        self.write("k/pod.yaml", self.WRONG_POD)

    def kustomize(self, *flags):
        program = pathlib.Path(shutil.which("kustomize") or go_program(*KUSTOMIZE, "kustomize"))
        if not program.exists():
            self.skipTest("neither kustomize nor Go is here")
        return self.run_tool(program, "build", *flags, "k")

    def test_kustomize_stops_at_findings_and_its_output_stays(self):
        plain = "resources: [pod.yaml]\n"
        self.write("k/kustomization.yaml", plain + "transformers: [lint.yaml]\n")
        flags = ("--enable-alpha-plugins", "--enable-exec")
        ran = self.kustomize(*flags)
        self.assertEqual((ran.returncode, ran.stdout), (1, ""), ran)
        self.assertIn("gpu-limit-missing", ran.stderr)
        self.write("k/pod.yaml", GOOD_POD)
        ran = self.kustomize(*flags)
        self.write("k/kustomization.yaml", plain)
        self.assertEqual((ran.returncode, ran.stdout), (0, self.kustomize().stdout), ran)

    def test_kustomize_names_files_where_it_is_told_to(self):
        self.write("k/kustomization.yaml", "resources: [pod.yaml]\nbuildMetadata: [originAnnotations]\n")
        ran = self.run_gpulint("check", "-", stdin=self.kustomize().stdout)
        self.assertIn("(from pod.yaml)", ran.out)

    def test_kpt_shows_results(self):
        self.need("kpt")
        (self.folder / "k/lint.yaml").unlink()
        run = ("kpt", "fn", "eval", "k", "--exec", f"{self.bin}/gpulint filter", "--results-dir", "results")
        ran = self.run_tool(*run)
        self.assertEqual(ran.returncode, 1, ran)
        results = self.read("results/results.yaml")
        for part in ("sets no limit for it", "path: pod.yaml", "name: train", "severity: error"):
            self.assertIn(part, results)
        ran = self.run_tool(*run, "--", "failOn=never")
        self.assertEqual(ran.returncode, 0, ran)
        self.assertEqual(self.read("k/pod.yaml"), self.WRONG_POD)
