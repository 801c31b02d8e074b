"""Files that are rewritten: fix and --add-suppressions."""
import fcntl
import json
import os
import pty
import stat
import struct
import subprocess

from support import BROKEN_POD, GOOD_POD, GPULINT, WARNED_POD, Case


# The DaemonSet takes the GPU of a-1 once it tolerates the taint. With the RuntimeClass, the Deployment needs that GPU.
TAKEN_GPU = """\
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: {name: nvidia}
handler: nvidia
scheduling: {nodeSelector: {pool: a}}
---
apiVersion: v1
kind: Node
metadata: {name: a-1, labels: {pool: a}}
spec: {taints: [{key: nvidia.com/gpu, effect: NoExecute}]}
status: {allocatable: {cpu: "8", memory: 32Gi, pods: "110", nvidia.com/gpu: "1"}}
---
apiVersion: v1
kind: Node
metadata: {name: b-1, labels: {pool: b}}
status: {allocatable: {cpu: "8", memory: 32Gi, pods: "110", nvidia.com/gpu: "1"}}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec:
      runtimeClassName: nvidia
      nodeSelector: {pool: a}
      containers:
      - name: agent
        image: agent:1.0
        resources: {limits: {nvidia.com/gpu: 1}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      tolerations:
      - key: nvidia.com/gpu
        operator: Exists
      containers:
      - name: web
        image: web:1.0
        resources:
          limits:
            nvidia.com/gpu: 1
"""


class Fix(Case):
    def test_safe_fixes_are_written_in_place(self):
        path = self.write("pod.yaml", WARNED_POD)
        path.chmod(0o640)
        ran = self.run_gpulint("fix", "pod.yaml")
        self.assertEqual(ran.status, 0, ran)
        self.assertEqual(self.read("pod.yaml"), GOOD_POD)
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o640)

    def test_fixes_that_are_right_each_do_not_together_stop_a_workload(self):
        self.write("cluster.yaml", TAKEN_GPU)
        self.assertEqual(self.run_gpulint("fix", "--unsafe-fixes", "--preview", "cluster.yaml").status, 1)
        self.assertIn("effect: NoExecute\n---", self.read("cluster.yaml"))  # the DaemonSet runs now
        placed = self.run_gpulint("place", "--format", "json", "cluster.yaml").json()["results"]
        self.assertIn(True, [cell["fits"] for cell in placed if cell["workload"].endswith("/web")])

    def test_unsafe_ones_are_not_unless_asked_for(self):
        self.write("pod.yaml", BROKEN_POD)
        self.assertEqual(self.run_gpulint("fix", "pod.yaml").status, 1)
        self.assertEqual(self.read("pod.yaml"), BROKEN_POD)
        self.assertEqual(self.run_gpulint("fix", "--unsafe-fixes", "pod.yaml").status, 0)
        self.assertEqual(self.read("pod.yaml"), GOOD_POD)

    def test_a_diff_writes_nothing_and_applies(self):
        self.write("pod.yaml", WARNED_POD)
        ran = self.run_gpulint("fix", "--diff", "pod.yaml")
        self.assertEqual((ran.status, self.read("pod.yaml")), (1, WARNED_POD), ran)
        subprocess.run(["git", "apply", "-"], input=ran.out, text=True, cwd=self.folder, check=True)
        self.assertEqual(self.read("pod.yaml"), GOOD_POD)
        self.assertEqual(self.run_gpulint("fix", "--diff", "pod.yaml").status, 0)

    def test_one_harmful_fix_leaves_the_others_of_a_large_scope_safe(self):
        self.write("values.yaml", "configuration:\n  inline:\n    plugins:\n      k8s:\n"
                                  "        gpu_device_node_label: nvidia.com/gpu.product\n")
        node = {"apiVersion": "v1", "kind": "Node",
                "metadata": {"labels": {"k8s.amazonaws.com/accelerator": "nvidia-tesla-a100",
                                        "nvidia.com/gpu.product": "NVIDIA-A100-SXM4-40GB"}},
                "status": {"allocatable": {"cpu": "64", "memory": "500Gi", "pods": "110", "nvidia.com/gpu": "8"}}}
        nodes = [{**node, "metadata": {**node["metadata"], "name": f"a100-{i}"}} for i in range(320)]
        self.write("nodes.json", json.dumps({"apiVersion": "v1", "kind": "List", "items": nodes}))
        pods = [WARNED_POD.replace("name: ", f"name: p{i}-", 1) for i in range(6)]
        self.write("pods.yaml", "---\n".join(pods))
        found = self.check_json("values.yaml", "nodes.json", "pods.yaml", "--task", "name=train,gpu=1,accelerator=A100").json()
        safety = {}
        for finding in found["diagnostics"]:
            if finding.get("fix"):
                safety.setdefault(finding["file"], []).append(finding["fix"]["safety"])
        self.assertEqual(safety, {"values.yaml": ["unsafe"], "pods.yaml": ["safe"] * 6}, found)

    def test_an_invalid_object_hides_no_harm_to_others_of_its_file(self):
        nodes = "---\n".join(
            f"apiVersion: v1\nkind: Node\nmetadata: {{name: {name}, labels: {{pool: {name}}}}}\n"
            "status: {allocatable: {pods: 9, nvidia.com/gpu: 1}}\n" for name in ("a", "b"))
        runtime_class = ("apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: {name: nvidia}\nhandler: nvidia\n"
                         "scheduling: {nodeSelector: {pool: b}}\n")
        pod = ("apiVersion: v1\nkind: Pod\nmetadata: {name: train}\nspec:\n  nodeSelector: {pool: a}\n"
               "  containers: [{name: c, image: x, resources: {limits: {nvidia.com/gpu: 1}}}]\n")
        invalid = pod.replace("train", "invalid").replace("nodeSelector: {pool: a}",
                                                          "tolerations: [{key: a, operator: Exists, value: b}]")
        self.write("cluster.yaml", "---\n".join([nodes, runtime_class, pod, invalid]))
        train = self.check_json("--no-config").json()["diagnostics"][0]
        self.assertEqual((train["id"], train["fix"]), ("missing-runtime-class", None), train)
        self.assertIn("this change causes a new error: Pod `train` selects `pool=a`", train["help"])

    def test_links_stay_and_other_files_are_not_touched(self):
        self.write("real/pod.yaml", WARNED_POD)
        os.symlink("real/pod.yaml", self.folder / "link.yaml")
        other = self.write("other.yaml", GOOD_POD)
        before = other.stat()
        self.run_gpulint("fix", "link.yaml", "other.yaml")
        self.assertTrue((self.folder / "link.yaml").is_symlink())
        self.assertEqual(self.read("real/pod.yaml"), GOOD_POD)
        self.assertEqual((other.stat().st_mtime_ns, other.stat().st_ino),
                         (before.st_mtime_ns, before.st_ino))

    def test_standard_input_goes_to_standard_output(self):
        ran = self.run_gpulint("fix", "-", stdin=WARNED_POD)
        self.assertEqual((ran.status, ran.out), (0, GOOD_POD), ran)


    def test_standard_input_has_the_statuses_of_files(self):
        for text, status, message in ((BROKEN_POD, 1, "duplicate-key"), ("a: [\n", 1, "yaml-syntax"), (GOOD_POD, 0, ""),
                                      (WARNED_POD, 0, "fixed 1")):
            self.write("pod.yaml", text)
            ran = self.run_gpulint("fix", "--no-config", "-", stdin=text)
            in_file = self.run_gpulint("fix", "--no-config", "pod.yaml")
            self.assertEqual((ran.status, ran.status), (status, in_file.status), (ran, in_file))
            self.assertEqual(ran.out, self.read("pod.yaml"))
            self.assertIn(message, ran.err)
        self.assertEqual(self.run_gpulint("fix", "--require-input", "-", stdin="a: 1\n").status, 2)

    def test_a_diff_has_the_statuses_of_files(self):
        self.write("pod.yaml", BROKEN_POD)
        self.write("bad.yaml", "a: [\n")
        for words, status, message in ((["gone.yaml"], 2, "gone.yaml"), (["--require-input", "gone.yaml"], 2, "gone.yaml"),
                                       (["pod.yaml"], 1, "duplicate-key"), (["bad.yaml"], 1, "yaml-syntax"),
                                       (["--fail-on", "never", "pod.yaml"], 0, "duplicate-key")):
            ran = self.run_gpulint("fix", "--diff", *words)
            self.assertEqual((ran.status, ran.out), (status, ""), ran)
            self.assertIn(message, ran.err)

    def test_lost_output_is_2(self):
        self.write("pod.yaml", WARNED_POD)
        for words in (["--diff", "pod.yaml"], ["-"]):
            with open("/dev/full", "wb") as full, open(self.folder / "pod.yaml", "rb") as given:
                ran = subprocess.run([GPULINT, "fix", "--no-config", *words], cwd=self.folder, stdin=given, stdout=full,
                                     stderr=subprocess.PIPE, text=True, check=False)
            self.assertEqual(ran.returncode, 2, ran)
            self.assertIn("standard output cannot be written", ran.stderr)

    def test_reports_are_written_beside_a_diff_and_standard_output(self):
        self.write("pod.yaml", BROKEN_POD)
        for words in (["--diff", "pod.yaml"], ["-"]):
            ran = self.run_gpulint("fix", "--no-config", "--format", "json:report.json", *words, stdin=BROKEN_POD)
            self.assertEqual((ran.status, ran.trouble), (1, ""), ran)
            self.assertEqual([each["id"] for each in json.loads(self.read("report.json"))["diagnostics"]], ["duplicate-key"])
            (self.folder / "report.json").unlink()
            ran = self.run_gpulint("fix", "--no-config", "--format", "json", *words, stdin=BROKEN_POD)
            self.assertEqual(json.loads(ran.err)["summary"]["errors"], 1)


class Beside(Case):
    """What a file has beside its content, and what a run leaves beside files."""

    def test_extended_attributes_stay(self):
        path = self.write("pod.yaml", WARNED_POD)
        # An access control list as the kernel keeps it: owner rw, user 12345 r, group r, mask r, others none.
        entries = [(1, 6, 0xFFFFFFFF), (2, 4, 12345), (4, 4, 0xFFFFFFFF), (16, 4, 0xFFFFFFFF), (32, 0, 0xFFFFFFFF)]
        acl = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)
        try:
            os.setxattr(path, "user.note", b"kept\0as it is")
            os.setxattr(path, "user.empty", b"")
            os.setxattr(path, "system.posix_acl_access", acl)
        except OSError as error:
            self.skipTest(f"no such attributes here: {error}")
        before = {name: os.getxattr(path, name) for name in os.listxattr(path)}
        mode = path.stat().st_mode
        self.assertEqual(self.run_gpulint("fix", "pod.yaml").status, 0)
        self.assertEqual(self.read("pod.yaml"), GOOD_POD)
        self.assertEqual({name: os.getxattr(path, name) for name in os.listxattr(path)}, before)
        self.assertEqual(path.stat().st_mode, mode)

    def test_a_folder_gives_its_files_no_other_list(self):
        path = self.write("pod.yaml", WARNED_POD)
        path.chmod(0o640)
        entries = [(1, 7, 0xFFFFFFFF), (2, 7, 12345), (4, 7, 0xFFFFFFFF), (16, 7, 0xFFFFFFFF), (32, 7, 0xFFFFFFFF)]
        acl = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)
        try:
            os.setxattr(self.folder, "system.posix_acl_default", acl)
        except OSError as error:
            self.skipTest(f"no such attributes here: {error}")
        self.assertEqual(self.run_gpulint("fix", "pod.yaml").status, 0)
        self.assertEqual((os.listxattr(path), path.stat().st_mode & 0o777), ([], 0o640))

    def test_names_may_be_as_long_as_the_system_allows(self):
        for name in ("n" * 250 + ".yaml", "ü" * 125 + ".yaml", "n" + "ü" * 124 + ".yaml"):
            self.write(name, WARNED_POD)
            ran = self.run_gpulint("fix", name)
            self.assertEqual((ran.status, self.read(name)), (0, GOOD_POD), ran)

    def test_what_killed_runs_left_is_removed(self):
        dead = subprocess.Popen(["true"])
        dead.wait()
        for text in (WARNED_POD, GOOD_POD):
            self.write("sub/pod.yaml", text)
            stale = self.write(f"sub/.pod.yaml.{dead.pid}-0.gpulint-tmp", "half")
            kept = [self.write(f"sub/.pod.yaml.{os.getpid()}-0.gpulint-tmp", "in use"),
                    self.write(".pod.yaml.1-0.gpulint-tmp", "elsewhere"), self.write("sub/.x.gpulint-tmp", "mine"),
                    self.write(f"sub/pod.yaml.{dead.pid}-0.gpulint-tmp", "mine"),
                    self.write(f"sub/.pod.yaml.{dead.pid}.gpulint-tmp", "mine")]
            link = self.folder / f"sub/.link.{dead.pid}-0.gpulint-tmp"
            if not link.is_symlink():
                os.symlink("pod.yaml", link)
            self.run_gpulint("fix", "--diff", "sub")
            self.assertTrue(stale.exists())  # a diff changes nothing
            self.assertEqual(self.run_gpulint("fix", "sub").status, 0)
            self.assertEqual((stale.exists(), [path.exists() for path in [*kept, link]]), (False, [True] * 6))

    def test_one_that_another_run_holds_is_left(self):
        dead = subprocess.Popen(["true"])
        dead.wait()
        held = self.write(f".pod.yaml.{dead.pid}-0.gpulint-tmp", "of a container")
        self.write("pod.yaml", WARNED_POD)
        with open(held, encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            self.run_gpulint("fix", "pod.yaml")
            self.assertTrue(held.exists())

    def test_nothing_else_is_left(self):
        self.write("pod.yaml", WARNED_POD)
        self.run_gpulint("fix", "pod.yaml")
        self.assertEqual(os.listdir(self.folder), ["pod.yaml"])


class Ask(Case):
    """`fix --ask` at a terminal, as `git add -p`."""

    NAMES = ("a.yaml", "b.yaml", "c.yaml")

    def answer(self, keys):
        """Whether each file was fixed, and what the terminal showed; `keys` are typed at one prompt each."""
        for name in self.NAMES:
            self.write(name, WARNED_POD)
        ours, theirs = pty.openpty()
        process = subprocess.Popen([GPULINT, "fix", "--no-config", "--ask", *self.NAMES], cwd=self.folder,
                                   stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
                                   env={"PATH": os.environ["PATH"], "TERM": "xterm"})
        os.close(theirs)
        shown, asked = "", 0
        while True:
            try:
                shown += os.read(ours, 65536).decode()
            except OSError:  # the program has left
                break
            while shown.count("[y,n,a,q] ") > asked:
                os.write(ours, keys[asked].encode())
                asked += 1
        os.close(ours)
        self.assertEqual((process.wait(timeout=60) != 2, asked), (True, len(keys)), shown)
        return [self.read(name) == GOOD_POD for name in self.NAMES], shown

    def test_each_fix_is_shown_in_colour_and_taken_or_left(self):
        fixed, shown = self.answer(["y\n", "n\n", "y\n"])
        self.assertEqual(fixed, [True, False, True], shown)
        for name in self.NAMES:
            self.assertIn(f"\x1b[1m+++ b/{name}\x1b[0m", shown)
        self.assertIn("\x1b[31m-apiVersion: v1  # gpulint: ignore[yaml-syntax] x\x1b[0m", shown)
        self.assertIn("\x1b[32m+apiVersion: v1\x1b[0m", shown)

    def test_the_rest_may_be_taken_or_left_at_once(self):
        self.assertEqual(self.answer(["n\n", "a\n"])[0], [False, True, True])
        self.assertEqual(self.answer(["y\n", "q\n"])[0], [True, False, False])
        self.assertEqual(self.answer(["\x04"])[0], [False, False, False])  # end of input

    def test_like_findings_of_several_documents_are_asked_about_one_by_one(self):
        text = BROKEN_POD + "---\n" + BROKEN_POD
        self.write("pods.yaml", text)
        ran = self.run_gpulint("fix", "--no-config", "--unsafe-fixes", "--ask", "pods.yaml", stdin="n\ny\n")
        self.assertEqual(self.read("pods.yaml"), BROKEN_POD + "---\n" + GOOD_POD, ran)

    def test_other_answers_are_explained(self):
        fixed, shown = self.answer(["x\n", "q\n"])
        self.assertEqual(fixed, [False, False, False])
        self.assertIn("n: skip it", shown)


class AddSuppressions(Case):
    def suppress(self, text, reason="known since May"):
        self.write("pod.yaml", text)
        ran = self.check("--add-suppressions", reason, "pod.yaml")
        return ran, self.read("pod.yaml")

    def test_a_comment_with_the_reason_silences_each_finding(self):
        ran, text = self.suppress(BROKEN_POD)
        self.assertEqual(ran.status, 0, ran)
        self.assertEqual(text, BROKEN_POD.rstrip("\n")
                         + "  # gpulint: ignore[duplicate-key] known since May\n")
        self.assertEqual(self.check_json("pod.yaml").ids(), [])

    def test_comments_that_are_there_stay(self):
        ran, text = self.suppress(BROKEN_POD.rstrip("\n") + "  # two of them\n")
        self.assertEqual(ran.status, 0, ran)
        self.assertTrue(text.endswith("# two of them  # gpulint: ignore[duplicate-key] known since May\n"))
        ran, text = self.suppress(BROKEN_POD.rstrip("\n") + " # gpulint: ignore[yaml-syntax] old\n")
        self.assertTrue(text.endswith("# gpulint: ignore[yaml-syntax, duplicate-key] old\n"), text)

    def test_line_breaks_stay(self):
        ran, text = self.suppress(BROKEN_POD.replace("\n", "\r\n"))
        self.assertEqual(ran.status, 0, ran)
        path = self.folder / "pod.yaml"
        self.assertEqual(path.read_bytes().count(b"\r\n"), BROKEN_POD.count("\n"))
        ran, text = self.suppress(BROKEN_POD.rstrip("\n"))
        self.assertTrue(text.endswith("known since May"), text)

    def test_values_over_several_lines_get_it_above(self):
        text = "a: {nvidia.com/gpu: 1}\nb: x\nb: |\n  text\n"
        ran, text = self.suppress(text)
        self.assertEqual(self.check_json("pod.yaml").ids(), [], text)

    def test_json_cannot_hold_comments(self):
        text = '{"apiVersion": "v1", "kind": "Pod", "kind": "Pod", "x": "nvidia.com/gpu"}\n'
        self.write("pod.json", text)
        ran = self.check("--add-suppressions", "x", "pod.json")
        self.assertEqual((ran.status, self.read("pod.json")), (1, text), ran)
        self.assertIn("duplicate-key", ran.out)

    def test_what_cannot_be_parsed_is_left_alone(self):
        ran, text = self.suppress("a: [nvidia.com/gpu\n")
        self.assertEqual((ran.status, text), (1, "a: [nvidia.com/gpu\n"), ran)

    def test_reasons_stay_on_one_line(self):
        self.write("pod.yaml", BROKEN_POD)
        ran = self.check("--add-suppressions", "two\nlines", "pod.yaml")
        self.assertEqual((ran.status, self.read("pod.yaml")), (2, BROKEN_POD), ran)
