"""`compile`, `place` and `nodes`: what Flyte makes of tasks, and where pods can run."""
import fcntl
import pty
import re
import shutil
import struct
import subprocess
import termios
import unittest

from support import GOOD_POD, GPULINT, SOURCE, Case, read_terminal

VALUES = """\
configuration:
  inline:
    plugins:
      k8s:
        resource-tolerations:
          nvidia.com/gpu: [{key: sku, operator: Equal, value: gpu, effect: NoSchedule}]
"""
NODES = """\
apiVersion: v1
kind: Node
metadata: {name: gpu-1}
spec: {taints: [{key: sku, value: gpu, effect: NoSchedule}]}
status: {allocatable: {cpu: "8", memory: 32Gi, nvidia.com/gpu: "1", pods: "110"}}
---
apiVersion: v1
kind: Node
metadata: {name: cpu-1}
status: {allocatable: {cpu: "8", memory: 32Gi, pods: "110"}}
"""
POOL = """\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: gpus}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: gpu}
      requirements:
      - {key: karpenter.k8s.aws/instance-family, operator: In, values: [g5]}
      taints: [{key: nvidia.com/gpu, effect: NoSchedule}]
"""


class Machines(Case):
    def pools(self, text):
        self.write("pools.yaml", text)
        return self.run_gpulint("nodes", "--no-config", "--format", "json", "pools.yaml").json()["pools"]

    def test_a_karpenter_pool_has_what_its_requirements_leave(self):
        limited = POOL + "  limits: {nvidia.com/gpu: 16}\n"
        pool, = self.pools(limited.replace("values: [g5]", "values: [p4d]"))
        self.assertEqual((pool["machines"], pool["maxNodes"], pool["limits"], pool["open"]),
                         (["p4d.24xlarge"], None, {"nvidia.com/gpu": "16"}, ""))
        self.assertEqual(pool["offersAtMost"], {"cpu": 96, "memory": 1152 << 30, "nvidia.com/gpu": 8})

    def test_a_pool_of_unknown_machines_says_why_it_is_open(self):
        pool, = self.pools(POOL.replace("values: [g5]", "values: [zz9]"))
        self.assertEqual((pool["machines"], pool["offersAtMost"]), ([], {}))
        self.assertIn("requirements", pool["open"])

    def test_a_group_has_its_largest_size(self):
        pool, = self.pools("apiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig\nmetadata: {name: c, region: r}\n"
                           "managedNodeGroups:\n- {name: gpu, instanceType: g5.12xlarge, minSize: 0, maxSize: 3}\n")
        self.assertEqual((pool["maxNodes"], pool["offersAtMost"]["nvidia.com/gpu"]), (3, 4))
        self.assertIn("  at most     3 nodes\n", self.run_gpulint("nodes", "pools.yaml").out)


class Refusals(Case):
    def test_what_another_rule_says_better_is_not_said_twice(self):
        devices = "huawei.com/Ascend910"
        second = f"""  - name: second
    image: train:1.0
    resources:
      requests: {{{devices}: 6}}
      limits: {{{devices}: 8}}
"""
        self.write("pod.yaml", GOOD_POD.replace("gpu: 1", 'gpu: "0.5"') + second)
        found = {f["id"]: f["range"]["start"]["line"] for f in self.check_json("pod.yaml").json()["diagnostics"]}
        self.assertEqual(found, {"fractional-gpu": 9, "invalid-object": 13})
        self.assertEqual(self.check_json("--select", "invalid-object", "pod.yaml").ids(), ["invalid-object"])

    def test_an_anchored_request_is_no_second_finding(self):
        pod = GOOD_POD.replace("gpu: 1", 'gpu: "0.5"')
        limits = next(line for line in pod.splitlines() if "limits:" in line)
        self.write("pod.yaml", 'x-half: &half {nvidia.com/gpu: "0.5"}\n' + pod.replace(
            limits, limits + "\n" + limits[:limits.index("limits:")] + "requests: *half"))
        self.assertEqual(self.check_json("pod.yaml").ids(), ["fractional-gpu"])


class LargeCluster(Case):
    def setUp(self):
        super().setUp()
        node = NODES.split("---")[0].replace("metadata: {", "metadata: {labels: {kubernetes.io/hostname: gpu-1}, ")
        self.write("nodes.yaml", "---\n".join(node.replace("gpu-1", f"gpu-{i}") for i in range(70)))
        self.write("pods/fits.yaml", GOOD_POD.replace("spec:\n", "spec:\n  tolerations: [{key: sku, operator: Exists}]\n"))
        self.write("pods/kept-off.yaml", GOOD_POD)
        self.write("pods/by-name.yaml", GOOD_POD.replace("spec:\n", "spec:\n  nodeName: gpu-70\n"))

    def test_nodes_of_a_kind_stand_for_each_other(self):
        def check(*words):
            return self.run_gpulint("check", "--no-config", "--format", "concise", *words).out
        together = check("--nodes", "nodes.yaml", "pods")
        self.assertIn("kept-off.yaml", together)
        self.assertNotIn("pods/fits.yaml", together)
        self.assertEqual(together, "".join(check("--nodes", "nodes.yaml", f"pods/{name}.yaml")
                                           for name in ("by-name", "fits", "kept-off")))

    def test_equal_nodes_count_each(self):
        pod = GOOD_POD.split("spec:\n")[1].replace("\n", "\n    ")
        for name, replicas in (("enough", 70), ("too-many", 71)):
            self.write(f"apps/{name}.yaml", f"apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: {name}}}\nspec:\n"
                                            f"  replicas: {replicas}\n  selector: {{matchLabels: {{a: b}}}}\n  template:\n"
                                            "    metadata: {labels: {a: b}}\n    spec:\n"
                                            f"      tolerations: [{{key: sku, operator: Exists}}]\n    {pod.rstrip()}\n")
        ran = self.run_gpulint("check", "--no-config", "--format", "concise", "--nodes", "nodes.yaml", "apps")
        self.assertEqual([line.split(":")[0] for line in ran.out.splitlines() if "gpu-demand-exceeds-nodes" in line],
                         ["apps/too-many.yaml"], ran)
        self.assertIn("71 `nvidia.com/gpu`, but the matching nodes have only 70", ran.out)

    def test_a_fix_is_the_same_in_a_small_and_in_a_large_scope(self):
        tolerating = GOOD_POD.replace("spec:\n", "spec:\n  tolerations: [{key: sku, operator: Exists}]\n")
        kinds = {"good": tolerating, "blocked": GOOD_POD, "large": tolerating.replace("gpu: 1", "gpu: 8")}
        pods = []
        for i in range(320):
            kind = {0: "blocked", 1: "large"}.get(i % 40, "good")
            pods.append(kinds[kind].replace("name: train", f"name: {kind}-{i}")
                        .replace("nvidia.com/gpu", "alpha.kubernetes.io/nvidia-gpu"))
        self.write("all.yaml", "---\n".join(pods))
        self.write("some.yaml", "---\n".join(pods[:3]))

        def fixes(file):
            found = {}
            for finding in self.check_json("nodes.yaml", file).json()["diagnostics"]:
                pod = self.read(file)[:finding["range"]["start"]["offset"]].rpartition("{name: ")[2].split("-")[0]
                fix = finding["fix"]
                found.setdefault((finding["id"], pod), set()).add((re.sub(r"-\d+", "", fix["title"]), fix["safety"]))
            return found
        few = fixes("some.yaml")
        self.assertEqual({safety for each in few.values() for _, safety in each}, {"safe", "unsafe"})
        self.assertEqual(fixes("all.yaml"), few)

    def test_place_shows_every_node(self):
        ran = self.run_gpulint("place", "--format", "json", "--nodes", "nodes.yaml", "pods")
        self.assertEqual(len({result["node"] for result in ran.json()["results"]}), 70)


class OnTerminal(Case):
    def on_terminal(self, columns, *words):
        """What the command prints on a terminal of so many columns."""
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        with subprocess.Popen([GPULINT, *words], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=theirs,
                              stderr=subprocess.DEVNULL, env={"TERM": "xterm", "LC_ALL": "C.UTF-8"}) as process:
            return read_terminal(ours, theirs, process).replace("\r\n", "\n")

    def test_nodes_on_a_terminal_begin_with_what_they_offer_together(self):
        node = ("apiVersion: v1\nkind: Node\nmetadata: {{name: {0}, labels: {{kubernetes.io/hostname: {0}, "
                "nvidia.com/gpu.product: Tesla-T4, example.org/a-label-that-is-long: and-a-value-that-is-long-too}}}}\n"
                "spec: {{taints: [{{key: sku, value: gpu, effect: NoSchedule}}]}}\nstatus: {{allocatable: {{cpu: '8'{1}}}}}\n---\n")
        offer = ", nvidia.com/gpu: '2'"
        self.write("nodes.yaml", node.format("a", offer) + node.format("b", offer) + node.format("c", "") +
                   "apiVersion: v1\nkind: Node\nmetadata: {name: d}\nstatus: {allocatable: {cpu: '8'}}\n")
        told = self.on_terminal(60, "nodes", "--color", "never", "nodes.yaml")
        lines = told.splitlines()
        self.assertEqual(" ".join(line.strip() for line in lines[:2]),
                         "4 nodes, 3 with GPUs: 4 nvidia.com/gpu; 1 of them offers no GPU resource: is a device plugin running there?")
        self.assertIn("a, b (2 alike, node, nodes.yaml:1)", lines)
        self.assertIn("\x1b[", self.on_terminal(60, "nodes", "nodes.yaml"))
        # Elsewhere there is neither verdict nor colour.
        self.assertTrue(self.run_gpulint("nodes", "nodes.yaml").out.startswith("a, b (2 alike"))

    def test_a_narrow_terminal_gets_rows_for_nodes_and_the_verdict_first(self):
        self.write("nodes.yaml", NODES)
        self.write("pod.yaml", GOOD_POD)
        for columns in (60, 200):
            lines = self.on_terminal(columns, "place", "--color", "never", "pod.yaml", "nodes.yaml").splitlines()
            self.assertEqual(lines[0], "placed: 0 of 1 workload")
            matrix = [line for line in lines if line.split() == ["gpu-1", "cpu-1"]]
            self.assertEqual(len(matrix), 0 if columns == 60 else 1, lines)
        self.assertIn("\x1b[31m", self.on_terminal(60, "place", "pod.yaml", "nodes.yaml"))

    def test_nodes_that_are_alike_are_shown_once(self):
        node = NODES.split("---")[0].replace("metadata: {", "metadata: {labels: {kubernetes.io/hostname: gpu-1}, ")
        self.write("nodes.yaml", "---\n".join(node.replace("gpu-1", f"gpu-{i}") for i in range(70)))
        ran = self.run_gpulint("nodes", "nodes.yaml")
        self.assertRegex(ran.out.splitlines()[0], r"^gpu-0, gpu-1, gpu-2 and 67 more \(70 alike, ")
        self.assertNotIn("hostname", ran.out)
        self.assertEqual(len(self.run_gpulint("nodes", "--format", "json", "nodes.yaml").json()["pools"]), 70)


class Place(Case):
    def place(self, *words):
        return self.run_gpulint("place", "--format", "json", *words)

    def results(self, *words):
        return {(r["workload"], r["node"]): r for r in self.place(*words).json()["results"]}

    def test_an_admission_plugin_that_nobody_declared_is_spoken_of(self):
        self.write("nodes.yaml", """\
apiVersion: v1
kind: Node
metadata: {name: gpu-1, labels: {cloud.google.com/gke-nodepool: a}}
spec: {taints: [{key: nvidia.com/gpu, value: present, effect: NoSchedule}]}
status: {allocatable: {cpu: "8", memory: 32Gi, nvidia.com/gpu: "1", pods: "110"}}
""")
        self.write("pod.yaml", GOOD_POD)
        ran = self.place("pod.yaml", "nodes.yaml")
        self.assertEqual(ran.status, 0, ran)
        self.assertEqual(ran.err, "gpulint: `cloud.google.com/gke-nodepool` shows that the cluster is gke, which adds tolerations "
                                  "for requested GPUs; `--provider generic` places pods without them\n")
        ran = self.place("--provider", "gke", "pod.yaml", "nodes.yaml")
        self.assertEqual((ran.status, ran.err), (0, ""), ran)
        self.assertEqual(self.place("--provider", "generic", "pod.yaml", "nodes.yaml").status, 1)
        # Where the pod tolerates the taint itself, the plugin decides nothing.
        self.write("pod.yaml", GOOD_POD.replace("spec:\n", "spec:\n  tolerations: [{key: nvidia.com/gpu, operator: Exists}]\n"))
        self.assertEqual(self.place("pod.yaml", "nodes.yaml").err, "")

    def test_tasks_are_placed_beside_manifests(self):
        self.write("values.yaml", VALUES)
        self.write("nodes.yaml", NODES)
        self.write("pod.yaml", GOOD_POD)
        ran = self.place("values.yaml", "nodes.yaml", "pod.yaml", "--task", "name=tune,gpu=1")
        self.assertEqual((ran.status, ran.err), (1, ""), ran)
        results = self.results("values.yaml", "nodes.yaml", "pod.yaml", "--task", "name=tune,gpu=1")
        task = results["Pod/default/tune", "gpu-1"]
        self.assertEqual((task["fits"], task["reasons"], task["valid"], task["task"], task["source"]),
                         (True, [], True, "tune", "values.yaml"))
        reason, = results["Pod/default/tune", "cpu-1"]["reasons"]
        self.assertEqual((reason["kind"], reason["detail"], reason["operator"], reason["values"]),
                         ("insufficient-resource", "nvidia.com/gpu", ">=", ["1"]))
        given = results["Pod/default/train", "gpu-1"]
        reason, = given["reasons"]
        self.assertEqual((reason["kind"], reason["detail"], reason["key"], reason["values"], reason["actual"]),
                         ("untolerated-taint", "sku=gpu:NoSchedule", "sku", ["gpu"], "sku=gpu:NoSchedule"))
        self.assertEqual((reason["demanded"]["file"], reason["found"]["file"]), ("pod.yaml", "nodes.yaml"))
        self.assertNotIn("task", given)

    def test_each_node_has_its_own_places(self):
        self.write("nodes.yaml", NODES + "---\n" + NODES.replace("gpu-1", "gpu-2"))
        self.write("pod.yaml", GOOD_POD)
        lines = {node: reasons["reasons"][0]["found"]["range"]["start"]["line"]
                 for (_, node), reasons in self.results("pod.yaml", "nodes.yaml").items() if node.startswith("gpu")}
        text = self.read("nodes.yaml").splitlines()
        self.assertEqual([text[line - 1] for line in lines.values()], [text[lines["gpu-1"] - 1]] * 2)
        self.assertNotEqual(lines["gpu-1"], lines["gpu-2"])

    def test_the_status_is_0_where_every_workload_fits_some_node(self):
        self.write("values.yaml", VALUES)
        self.write("nodes.yaml", NODES)
        self.assertEqual(self.place("values.yaml", "nodes.yaml", "--task", "gpu=1").status, 0)
        self.assertEqual(self.place("values.yaml", "nodes.yaml", "--task", "gpu=2").status, 1)

    def test_the_matrix_says_it_in_the_words_of_the_scheduler(self):
        self.write("nodes.yaml", NODES)
        self.write("pod.yaml", GOOD_POD)
        ran = self.run_gpulint("place", "pod.yaml", "--nodes", "nodes.yaml")
        self.assertEqual(ran.status, 1)
        lines = ran.out.splitlines()
        self.assertEqual(lines[0].split(), ["gpu-1", "cpu-1"])
        self.assertIn("had untolerated taint {sku: gpu}", lines[1])
        self.assertIn("Insufficient nvidia.com/gpu", lines[1])
        self.assertIn("Pod/default/train: 0/2 nodes are available: 1 Insufficient nvidia.com/gpu, "
                      "1 node(s) had untolerated taint {sku: gpu}.", lines)

    def test_an_autoscaled_pool_leaves_the_verdict_open(self):
        self.write("pool.yaml", POOL)
        self.write("values.yaml", VALUES.replace("sku, operator: Equal, value: gpu", "nvidia.com/gpu, operator: Exists"))
        ran = self.place("values.yaml", "pool.yaml", "--task", "name=tune,gpu=1")
        result = ran.json()["results"][0]
        self.assertEqual((ran.status, result["fits"], result["karpenter"]["compatible"]),
                         (1, None, True), ran)

    def test_an_open_cell_says_what_it_hangs_on(self):
        self.write("pool.yaml", "apiVersion: kops.k8s.io/v1alpha2\nkind: InstanceGroup\nmetadata: {name: gpus}\n"
                                "spec: {role: Node, machineType: p3.2xlarge, nodeLabels: {pool: gpu}}\n")
        self.write("pod.yaml", GOOD_POD.replace("spec:\n", "spec:\n  nodeSelector: {topology.kubernetes.io/zone: a}\n"))
        ran = self.run_gpulint("place", "pod.yaml", "pool.yaml")
        self.assertIn("unknown: didn't match Pod's node affinity/selector", ran.out)

    def test_what_the_api_server_refuses_is_said(self):
        self.write("nodes.yaml", NODES)
        self.write("values.yaml", VALUES.replace("operator: Equal", "operator: Exists"))
        ran = self.place("values.yaml", "nodes.yaml", "--task", "name=tune,gpu=1")
        invalid = ran.json()["results"][0]["invalid"]
        self.assertEqual((ran.status, [problem["path"] for problem in invalid]),
                         (1, ["spec.tolerations[0].operator"]), ran)

    def test_what_a_controller_completes_is_not_refused(self):
        self.write("nodes.yaml", NODES)
        tolerations = "tolerations: [{key: sku, operator: Exists}]"
        container = "name: main, resources: {limits: {nvidia.com/gpu: 1}}"
        objects = {
            "MPIJob": "apiVersion: kubeflow.org/v2beta1\nkind: MPIJob\nmetadata: {name: a}\nspec: {mpiReplicaSpecs: "
                      "{Worker: {template: {spec: {TOLERATIONS, containers: [{CONTAINER, image: b, "
                      "volumeMounts: [{name: ssh-auth, mountPath: /ssh}]}]}}}}}\n",
            "LLMInferenceService": "apiVersion: serving.kserve.io/v1alpha1\nkind: LLMInferenceService\n"
                                   "metadata: {name: a}\nspec: {template: {TOLERATIONS, containers: [{CONTAINER}]}}\n",
            "Spark": "apiVersion: v1\nkind: Pod\nspec: {TOLERATIONS, containers: [{CONTAINER}]}\n",
            "EMR": "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {TOLERATIONS, containers: "
                   "[{CONTAINER}]}\n".replace("CONTAINER", container.replace("main", "spark-kubernetes-executor"))}
        for name, text in objects.items():
            with self.subTest(name):
                text = text.replace("CONTAINER", container)
                self.write("object.yaml", text.replace("TOLERATIONS", tolerations))
                self.assertEqual(self.place("object.yaml", "nodes.yaml").json()["results"][0]["invalid"], [])
                self.write("object.yaml", text.replace("TOLERATIONS", tolerations.replace("Exists", "Exist")))
                ran = self.place("object.yaml", "nodes.yaml")
                self.assertIn("tolerations[0].operator", ran.json()["results"][0]["invalid"][0]["path"])
        self.write("object.yaml", objects["Spark"].replace("kind: Pod", "kind: Pod\nmetadata: {name: a}")
                   .replace("CONTAINER", container).replace("TOLERATIONS", tolerations))
        self.assertIn("containers[0].image", self.place("object.yaml", "nodes.yaml").out)

    def test_tasks_that_flyte_refuses_are_not_lost(self):
        self.write("nodes.yaml", NODES)
        self.write("values.yaml", "configuration: {inline: {plugins: {k8s: {default-cpus: lots}}}}\n")
        ran = self.place("values.yaml", "nodes.yaml", "--task", "name=tune,gpu=1")
        self.assertEqual(ran.status, 1)
        self.assertEqual([(t["task"], t["errorStage"]) for t in ran.json()["refusedTasks"]],
                         [("tune", "config")])

    def test_two_releases_are_told_apart(self):
        self.write("a.yaml", VALUES)
        self.write("b.yaml", VALUES.replace("value: gpu", "value: cpu"))
        self.write("nodes.yaml", NODES)
        results = self.results("a.yaml", "b.yaml", "nodes.yaml", "--task", "name=tune,gpu=1")
        self.assertTrue(results["Pod/default/tune (a.yaml)", "gpu-1"]["fits"])
        self.assertFalse(results["Pod/default/tune (b.yaml)", "gpu-1"]["fits"])

    def test_clusters_stay_apart(self):
        self.write("gpulint.yaml", "scopes:\n- {name: a, nodes: [na.yaml], workloads: [pa.yaml]}\n"
                                   "- {name: b, nodes: [nb.yaml], workloads: [pb.yaml]}\n")
        for name in "ab":
            self.write(f"n{name}.yaml", NODES.replace("gpu-1", f"gpu-{name}").replace("cpu-1", f"cpu-{name}"))
            self.write(f"p{name}.yaml", GOOD_POD.replace("name: train", f"name: p{name}"))
        cells = {(r["cluster"], r["workload"][-1], r["node"][-1]) for r in self.place(".").json()["results"]}
        self.assertEqual(cells, {("a", "a", "a"), ("b", "b", "b")})

    def test_nothing_to_place_is_said(self):
        self.write("nodes.yaml", NODES)
        ran = self.run_gpulint("place", "nodes.yaml")
        self.assertEqual((ran.status, ran.out), (2, ""))
        self.assertIn("nothing to place: no workloads", ran.err)


class Page(Case):
    def test_the_page_shows_the_matrix_and_the_pods(self):
        shutil.copytree(SOURCE / "testdata/projects/gke", self.folder / "gke")
        ran = self.run_gpulint("check", "--format", "html:report.html", ".", folder=self.folder / "gke")
        self.assertEqual(ran.status, 0, ran)
        page = self.read("gke/report.html").replace("<wbr>", "")
        for text in ('id="placement"', 'id="pods"', "Pod/default/tune", "gke-ml-l4-spot-c41d9e07-r8tn",
                     "Deployment/serving/embed", "plugins.k8s.gpu-partition-size-node-label"):
            self.assertIn(text, page)


class Compile(Case):
    def test_each_injected_item_has_its_line(self):
        self.write("values.yaml", VALUES)
        ran = self.run_gpulint("compile", "values.yaml", "--task", "name=tune,gpu=1", "--format", "json")
        pod = ran.json()["pods"][0]
        origin = pod["origin"]["/tolerations/0"]
        self.assertEqual((ran.status, pod["task"], origin["file"], origin["range"]["start"]["line"],
                          origin["key"]), (0, "tune", "values.yaml", 6, "plugins.k8s.resource-tolerations"))
        self.assertEqual(pod["spec"]["tolerations"],
                         [{"key": "sku", "operator": "Equal", "value": "gpu", "effect": "NoSchedule"}])

    def test_a_broken_configuration_is_refused_with_its_line(self):
        self.write("values.yaml", VALUES + "        default-cpus: lots\n")
        ran = self.run_gpulint("compile", "values.yaml", "--task", "name=tune,gpu=1")
        self.assertEqual(ran.status, 1)
        self.assertIn("# rejected by Flyte (config): plugins.k8s.default-cpus", ran.out)
        self.assertIn("#   at values.yaml:7:23", ran.out)

    def test_layers_win_in_their_order(self):
        self.write("values.yaml", VALUES)
        self.write("prod.yaml", VALUES.replace("value: gpu", "value: prod"))
        for layers, value in (("values prod", "prod"), ("prod values", "gpu")):
            words = [word for name in layers.split() for word in ("--values", name + ".yaml")]
            ran = self.run_gpulint("compile", *words, "--task", "gpu=1", "--format", "json")
            pods = ran.json()["pods"]
            self.assertEqual([pod["spec"]["tolerations"][0]["value"] for pod in pods], [value])

    def test_the_pods_can_be_placed(self):
        self.write("values.yaml", VALUES)
        self.write("nodes.yaml", NODES)
        self.write("pods.yaml", self.run_gpulint("compile", "values.yaml", "--task", "name=tune,gpu=1").out)
        ran = self.run_gpulint("place", "pods.yaml", "--nodes", "nodes.yaml", "--format", "json")
        self.assertEqual({r["workload"] for r in ran.json()["results"]}, {"Pod/default/tune"})

    def test_a_declared_chart_needs_no_values(self):
        ran = self.run_gpulint("compile", "--chart", "flyte-core", "--task", "gpu=1", "--format", "json")
        pod = ran.json()["pods"][0]
        self.assertEqual(pod["spec"]["containers"][0]["resources"]["limits"],
                         {"cpu": "100m", "memory": "500Mi", "nvidia.com/gpu": "1"})

    def test_without_propeller_no_pods_are_made(self):
        self.write("values.yaml", "flytepropeller: {enabled: false}\n"
                   "configmap: {k8s: {plugins: {k8s: {gpu-resource-name: a/b}}}}\n")
        self.write("rendered.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: flyte-admin-base-config}\n"
                   "data:\n  task_resource_defaults.yaml: |\n    task_resources:\n      limits: {gpu: 8}\n")
        for name in ("values.yaml", "rendered.yaml"):
            ran = self.run_gpulint("compile", name, "--task", "name=tune,gpu=1")
            self.assertEqual((ran.status, ran.out), (0, ""), ran)
            self.assertIn("propeller is disabled", ran.err)

    def test_nothing_recognised_is_said(self):
        self.write("values.yaml", "replicaCount: 1\n")
        ran = self.run_gpulint("compile", "values.yaml", "--task", "name=tune,gpu=1")
        self.assertEqual(ran.status, 0)
        self.assertIn("Flyte's defaults", ran.err)


class Nodes(Case):
    def test_nodes_and_pools_are_listed_with_what_is_known(self):
        self.write("nodes.yaml", NODES)
        self.write("pool.yaml", POOL)
        ran = self.run_gpulint("nodes", "nodes.yaml", "pool.yaml", "--format", "json")
        pools = {pool["name"]: pool for pool in ran.json()["pools"]}
        self.assertEqual((ran.status, sorted(pools)), (0, ["cpu-1", "gpu-1", "gpus"]))
        self.assertEqual(pools["gpu-1"]["taints"], [{"key": "sku", "value": "gpu", "effect": "NoSchedule"}])
        self.assertEqual(pools["gpu-1"]["allocatable"]["nvidia.com/gpu"], "1")
        self.assertEqual(pools["gpu-1"]["error"], "")


if __name__ == "__main__":
    unittest.main()
