"""Inputs made to break a reader: each run ends, says what it did not read, and checks the files beside it."""
import os
import pathlib
import subprocess
import unittest

from support import BROKEN_POD, GPULINT, Case


def merges(links, times):
    """Mappings each of which merges the one before it, again and again."""
    return "gpu: 1\na0: &a0 {x: 1}\n" + "".join(
        f"a{i}: &a{i} {{<<: [{', '.join([f'*a{i - 1}'] * times)}], k: 1}}\n" for i in range(1, links))


# Name, content, and the rule that speaks of it (None: nothing is wrong with it).
INPUTS = [
    ("deep-flow.yaml", "gpu: " + "[" * 100_000 + "]" * 100_000, "input-limit"),
    ("deep-open.yaml", "gpu: " + "{a: " * 100_000, "input-limit"),
    ("deep-block.yaml", "".join(" " * i + "gpu:\n" for i in range(1_000)), "input-limit"),
    ("deep-items.yaml", "gpu:\n" + "- " * 100_000 + "a\n", "input-limit"),
    ("deep-keys.yaml", "? " * 100_000 + "gpu\n", "input-limit"),
    ("deep.json", '{"gpu": ' + "[" * 100_000 + "]" * 100_000 + "}", "input-limit"),
    ("bomb.yaml", "gpu: &b0 [x, x]\n" + "".join(
        f"b{i}: &b{i} [{', '.join([f'*b{i - 1}'] * 9)}]\n" for i in range(1, 100)), "input-limit"),
    ("merge-chain.yaml", merges(2_000, 1), "input-limit"),
    ("merge-bomb.yaml", merges(500, 3), "input-limit"),
    ("circle.yaml", "gpu: &a\n  <<: *a\n", "yaml-syntax"),
    ("many-brackets.yaml", "gpu: " + "[" * 2_000_000, "input-limit"),
    ("many-items.yaml", "gpu: !!seq [" + "a," * 500_000 + "a]\n", None),
    ("many-brackets.json", '{"gpu": ' + "[" * 2_000_000, "input-limit"),
    ("many-items.json", '{"gpu": [' + "0," * 1_000_000 + "0]}", "input-limit"),
    ("unfinished-escape.yaml", 'gpu: "a\\', "yaml-syntax"),
    ("two-marks.yaml", "\ufeff\ufeffgpu: a\n", "yaml-syntax"),
    ("long-token.yaml", 'gpu: "' + "a\\n" * 2_000_000 + '"\n', "input-limit"),
    ("open-quote.yaml", 'gpu: "' + "a\n" * 100_000, "yaml-syntax"),
    ("nul.yaml", "gpu: a\0b\n", "yaml-syntax"),
    ("bytes.yaml", b"gpu: caf\xe9 \xc0\x80\n", "yaml-syntax"),
    ("keys.yaml", "gpu:\n" + "".join(f"  k{i}: v\n" for i in range(50_000)), None),
    ("repeats.yaml", "gpu:\n" + "  k: v\n" * 2_000, "duplicate-key"),
    ("documents.yaml", "---\ngpu: 1\n" * 20_000, None),
    ("no-documents.yaml", "---\n" * 50_000 + "gpu: 1\n", None),
    ("anchors.yaml", "gpu: 1\n" + "".join(f"k{i}: &a{i} v\nr{i}: *a{i}\n" for i in range(5_000)), None),
    ("number.yaml", f"gpu: {'9' * 100_000}\nn: 1e{'9' * 1_000}\n", None),
    ("tabs.yaml", "gpu:\n" + "\t" * 100_000 + "a\n", "yaml-syntax"),
]


class Hostile(Case):
    def test_each_ends_and_hides_nothing(self):
        self.write("pod.yaml", BROKEN_POD)
        for name, content, rule in INPUTS:
            with self.subTest(name):
                path = self.write(name, content)
                ran = self.check_json(name, "pod.yaml")
                self.assertIn(ran.status, (0, 1), ran.err)
                found = {(os.path.basename(finding["file"]), finding["id"]) for finding in ran.json()["diagnostics"]}
                self.assertEqual(found, {("pod.yaml", "duplicate-key")} | ({(name, rule)} if rule else set()))
                path.unlink()


class Steering(Case):
    """Control, invisible and direction-changing characters of names and values are escaped in all that is printed."""
    EVIL = r"\e[31m\u009b31m\x7f\u202e\u200b"  # in double quotes of YAML

    def test_no_output_holds_any(self):
        name = "pod\x1b[31m\u009b\u202e.yaml"
        self.write(name, f"""\
apiVersion: v1
kind: Pod
metadata: {{name: "p{self.EVIL}"}}
spec:
  nodeSelector: {{"a{self.EVIL}": "x{self.EVIL}"}}
  containers: [{{name: "c{self.EVIL}", resources: {{limits: {{nvidia.com/gpu: "0.5{self.EVIL}"}}}}}}]
""")
        self.write("values\x1b[31m\u009b.yaml", f"""\
configmap: {{k8s: {{plugins: {{k8s: {{default-node-selector: {{"x{self.EVIL}": "a{self.EVIL}"}}, gpu-device-node-labl: "{self.EVIL}",
  default-tolerations: [{{key: "{self.EVIL}", operator: Exists}}]}}}}}}}}
""")
        self.write("nodes.yaml", f"""\
apiVersion: v1
kind: Node
metadata: {{name: "n{self.EVIL}", labels: {{a: "{self.EVIL}", nvidia.com/gpu.product: "A100{self.EVIL}"}}}}
spec: {{taints: [{{key: "k{self.EVIL}", value: "v{self.EVIL}", effect: NoSchedule}}]}}
status: {{allocatable: {{nvidia.com/gpu: 1}}}}
""")
        task = ["--task", "gpu=1,name=x\x1b\u009b"]
        runs = [["check", ".", *task, "--format", each] for each in
                ("text", "concise", "json", "sarif", "github", "gitlab", "junit", "html", "markdown", "openreports", "policyreport",
                 "jsonl", "checkstyle", "rdjson", "azure", "sonar")]
        runs += [[command, ".", *extra, *words] for command, *extra in (["compile", *task], ["place", *task], ["why", *task], ["nodes"])
                 for words in ([], ["--format", "json"])]
        runs += [["generate", ".", "--task", "gpu=1"], ["init", "--output", "/dev/stdout"], ["fix", "."], ["debug", "json", name],
                 ["check", "--statistics", "."]]
        for words in runs:
            ran = self.run_gpulint(*words)
            self.assertNotEqual(ran.out + ran.err, "", words)
            for character in "\x1b\x7f\u009b\u202e\u200b":
                self.assertNotIn(character, ran.out + ran.err, words)


def pod_with(tolerations):
    return "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  tolerations:\n" + "".join(
        f"  - {{key: t{i}, operator: Exists, value: x{i}, effect: NoSchedule}}\n" for i in range(tolerations)) \
        + "  containers:\n  - name: a\n    resources: {limits: {nvidia.com/gpu: 1}}\n"


# Name, command, content. Each took more than its bound, or quadratic time, once.
LARGE = [
    ("repeats.json", ["check", "--format", "json"], lambda: '{"gpu": {' + ",".join(['"k":1'] * 60_000) + "}}"),
    ("brackets.yaml", ["check"], lambda: "gpu: " + "[" * 2_000_000),
    ("items.json", ["check"], lambda: '{"gpu": [' + "0," * 4_000_000 + "0]}"),
    ("aliases.yaml", ["check"], lambda: "a: &a nvidia.com/gpu\nb:\n" + "- *a\n" * 300_000),
    ("tolerations.yaml", ["fix", "--diff"], lambda: pod_with(4_000)),
    ("unused.yaml", ["fix", "--diff"],
     lambda: "a: nvidia.com/gpu\n" + "".join(f"b{i}: 1 # gpulint: ignore[fractional-gpu] x\n" for i in range(12_000))),
    ("comments.yaml", ["check"], lambda: "a: nvidia.com/gpu\n" + "# gpulint: ignore[fractional-gpu] x\n" * 25_000),
    ("unknown.yaml", ["check"], lambda: "configmap:\n  k8s:\n    plugins:\n      k8s:\n" + "".join(
        f"        gpu-device-node-labl{i}: x\n" for i in range(6_000))),
]
# Too slow for every day where nothing is optimised.
LARGER = [
    ("broken.yaml", ["check"], lambda: "---\ngpu: [\n" * 100_000),
    ("tiny.yaml", ["check"], lambda: "---\ngpu: nvidia.com/gpu\n" * 300_000),
    ("repeats.json", ["check", "--format", "json"], lambda: '{"apiVersion": "v1", "kind": "Pod", "gpu": {' + ",".join(
        f'"k{i % 10}":"nvidia.com/gpu"' for i in range(200_000)) + "}}"),
    ("tolerations.yaml", ["fix", "--diff"], lambda: pod_with(16_000)),
    ("anchors.yaml", ["check"], lambda: "gpu: 1\n" + "".join(f"k{i}: &a{i} v\nr{i}: *a{i}\n" for i in range(300_000))),
]


class Proportion(Case):
    """Memory is bounded by ten times the input and 200 MB, and time is not quadratic."""
    SECONDS = 30  # CPU of a build that nothing optimised; quadratic time takes twice as much

    def spent(self, words):
        """CPU seconds, bytes, exit status."""
        with open(self.folder / "out", "wb") as out:
            process = subprocess.Popen([GPULINT, *words], cwd=self.folder, stdout=out, stderr=subprocess.STDOUT)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        return usage.ru_utime + usage.ru_stime, usage.ru_maxrss << 10, process.returncode

    def hold(self, inputs, most_seconds):
        for name, words, make in inputs:
            with self.subTest(name):
                path = self.write(name, make())
                seconds, memory, status = self.spent([words[0], "--no-config", *words[1:], name])
                self.assertIn(status, (0, 1))
                self.assertLess(seconds, most_seconds)
                if b"__asan_init" not in pathlib.Path(GPULINT).read_bytes():
                    self.assertLess(memory, 10 * path.stat().st_size + 200_000_000)
                path.unlink()

    def test_large_inputs(self):
        self.hold(LARGE, self.SECONDS)

    @unittest.skipUnless(os.environ.get("GPULINT_LARGE"), "ci/nightly runs these")
    def test_larger_inputs(self):
        self.hold(LARGER, 8 * self.SECONDS)

    def test_what_is_left_out_of_many_findings_is_told(self):
        self.write("repeats.yaml", "gpu:\n" + "  k: v\n" * 10_003)
        ran = self.check_json("--no-config", "repeats.yaml")
        found = ran.json()["diagnostics"]
        self.assertEqual((ran.status, len(found)), (1, 10_001))
        self.assertEqual([finding["message"] for finding in found[-2:]],
                         ["duplicate key `k`", "duplicate key `k`, and more duplicate keys follow"])
