"""`why`: the story of a workload that fits nowhere, and the change of files that makes it fit."""
import pathlib
import unittest

from support import GOOD_POD, SOURCE, WARNED_POD, Case

NODES = """\
apiVersion: v1
kind: Node
metadata:
  name: gpu-1
  labels:
    pool: gpu
    nvidia.com/gpu.product: Tesla-T4
spec:
  taints:
  - {key: sku, value: gpu, effect: NoSchedule}
status: {allocatable: {cpu: "8", memory: 32Gi, pods: "110", nvidia.com/gpu: "1"}}
---
apiVersion: v1
kind: Node
metadata: {name: cpu-1}
status: {allocatable: {cpu: "8", memory: 32Gi, pods: "110"}}
"""
TOLERANT_POD = GOOD_POD.replace("spec:\n", "spec:\n  tolerations: [{key: sku, operator: Exists}]\n")
CONVERSATIONS = SOURCE / "tests/cli/conversations"


class Why(Case):
    def setUp(self):
        super().setUp()
        self.write("nodes.yaml", NODES)
        self.write("pod.yaml", GOOD_POD)

    def why(self, *words, **options):
        return self.run_gpulint("why", *words, **options)

    def stories(self, *words):
        ran = self.why("--format", "json", *words)
        self.assertEqual(ran.json()["version"], 1)
        return ran.json()["workloads"]

    def test_the_shape_of_json(self):
        story, = self.stories("pod.yaml", "nodes.yaml")
        self.assertEqual((story["workload"], story["fits"], story["nearest"], story["cannot"]),
                         ("Pod/default/train", False, "gpu-1", None))
        near, far = story["groups"]
        self.assertEqual((near["nodes"], far["nodes"], far["lacksDevice"]), (["gpu-1"], ["cpu-1"], True))
        term, = near["terms"]
        self.assertEqual({key: term[key] for key in ("kind", "key", "operator", "values", "actual")},
                         {"kind": "untolerated-taint", "key": "sku", "operator": "Equal", "values": ["gpu"],
                          "actual": "sku=gpu:NoSchedule"})
        places = [(term[half]["file"], term[half]["range"]["start"]["line"]) for half in ("demandedBy", "node")]
        self.assertEqual(places, [("pod.yaml", 4), ("nodes.yaml", 10)])
        term, = far["terms"]
        self.assertEqual((term["kind"], term["key"], term["actual"]),
                         ("insufficient-resource", "nvidia.com/gpu", None))

    def test_edits_make_the_text_that_the_diff_shows(self):
        story, = self.stories("pod.yaml", "nodes.yaml")
        edit, = story["change"]["edits"]
        text = self.read("pod.yaml").encode()
        after = text[:edit["start"]] + edit["text"].encode() + text[edit["end"]:]
        self.why("--fix", "pod.yaml", "nodes.yaml")
        self.assertEqual(self.read("pod.yaml").encode(), after)
        self.assertIn("+  tolerations:", story["change"]["diff"])
        self.assertEqual((story["change"]["certain"], story["change"]["rendered"]), (True, []))

    def test_the_status_is_1_where_some_do_not_fit_and_0_once_they_do(self):
        ran = self.why("pod.yaml", "nodes.yaml")
        self.assertEqual((ran.status, ran.err), (1, ""), ran)
        self.assertEqual(self.why("--fix", "pod.yaml", "nodes.yaml").status, 0)
        ran = self.why("pod.yaml", "nodes.yaml")
        self.assertEqual((ran.status, ran.out), (0, "1 workload: each fits at least one node\n"))

    def test_where_one_is_named_it_is_told_though_it_fits(self):
        self.write("pod.yaml", TOLERANT_POD)
        for name in ("Pod/default/train", "Pod/train"):
            ran = self.why("--workload", name, "pod.yaml", "nodes.yaml")
            self.assertEqual((ran.status, ran.out), (0, "Pod/default/train: fits gpu-1\n"))

    def test_only_those_named_count(self):
        self.write("other.yaml", TOLERANT_POD.replace("name: train", "name: other"))
        ran = self.why("--workload", "Pod/default/other", "pod.yaml", "other.yaml", "nodes.yaml")
        self.assertEqual((ran.status, ran.out), (0, "Pod/default/other: fits gpu-1\n"))
        self.assertEqual(len(self.stories("pod.yaml", "other.yaml", "nodes.yaml")), 1)

    def test_a_name_that_nobody_has_is_refused_with_the_nearest(self):
        ran = self.why("--workload", "Pod/default/tran", "pod.yaml", "nodes.yaml")
        self.assertEqual((ran.status, ran.out), (2, ""))
        self.assertIn("did you mean `Pod/default/train`?", ran.err)

    def test_a_failed_run_is_2(self):
        self.assertEqual(self.why("missing.yaml").status, 2)
        self.assertEqual(self.why("--format", "sarif", "pod.yaml").status, 2)
        self.assertEqual(self.why("--require-input", "nodes.yaml").status, 2)

    def test_pools_that_leave_it_open_are_1_and_null(self):
        self.write("pool.yaml", "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: gpu}\n"
                                "spec: {template: {spec: {requirements: []}}}\n")
        story, = self.stories("pod.yaml", "pool.yaml")
        self.assertIsNone(story["fits"])
        self.assertIn("gpu may accept it", story["cannot"])
        self.assertIsNone(story["change"])
        # Nor does a fix of something else count as one that makes it fit.
        self.write("pod.yaml", WARNED_POD)
        self.assertIsNone(self.stories("pod.yaml", "pool.yaml")[0]["change"])
        ran = self.why("pod.yaml", "pool.yaml")
        self.assertEqual(ran.status, 1)
        self.assertIn("may fit", ran.out)

    def test_an_open_pool_says_which_term_is_open(self):
        self.write("pool.yaml", "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: gpu}\n"
                                "spec:\n  template:\n    spec:\n      requirements:\n      - {key: node.kubernetes.io/instance-type, "
                                "operator: In, values: [q9.large, q9.huge]}\n")
        story, = self.stories("pod.yaml", "pool.yaml")
        term, = story["groups"][0]["terms"]
        self.assertEqual((term["kind"], term["key"], term["values"], term["certain"], term["demandedBy"]["file"]),
                         ("insufficient-resource", "nvidia.com/gpu", ["1"], False, "pod.yaml"))
        self.assertEqual((term["remark"], term["node"]["file"]), ("it may use q9.large, q9.huge", "pool.yaml"))

    def test_a_search_that_was_cut_short_is_not_said_to_have_found_nothing(self):
        nodes = [NODES.split("---\n")[0].replace("gpu-1", f"gpu-{i}") for i in range(620)]
        self.write("nodes.yaml", "---\n".join(nodes))
        pods = [GOOD_POD.replace("name: train", f"name: train-{i}") for i in range(5)]
        self.write("pod.yaml", "---\n".join(pods))
        ran = self.why("pod.yaml", "nodes.yaml")
        self.assertNotIn("No automatic change helps", ran.out)
        self.assertIn("Not every change of these files was tried", ran.out)
        self.assertEqual({story["searched"] for story in self.stories("pod.yaml", "nodes.yaml")}, {False})

    def test_what_the_api_server_refuses_is_said_first(self):
        self.write("pod.yaml", TOLERANT_POD.replace("gpu: 1", 'gpu: "0.5"'))
        story, = self.stories("pod.yaml", "nodes.yaml")
        self.assertEqual((story["fits"], story["change"]), (False, None))
        self.assertIn("the API server rejects it", story["cannot"])

    def test_a_task_that_flyte_refuses_has_a_story(self):
        self.write("values.yaml", "configmap: {k8s: {plugins: {k8s: {default-cpus: 100m}}}}\n")
        story, = self.stories("values.yaml", "nodes.yaml", "--task", "name=t,gpu=many")
        self.assertEqual((story["task"], story["fits"]), ("t", False))
        self.assertIn("Flyte rejects it", story["cannot"])

    def test_tasks_of_one_name_are_told_apart_by_their_configuration(self):
        for name in ("a", "b"):
            self.write(f"{name}.yaml", "configmap: {k8s: {plugins: {k8s: {default-cpus: 100m}}}}\n")
        ran = self.why("a.yaml", "b.yaml", "nodes.yaml", "--task", "name=t,gpu=1")
        heads = [line for line in ran.out.splitlines() if line.startswith("task t")]
        self.assertEqual(heads, ["task t (a.yaml): fits no node", "task t (b.yaml): fits no node"])
        self.assertEqual([story["source"] for story in self.stories("a.yaml", "b.yaml", "nodes.yaml", "--task", "name=t,gpu=1")],
                         ["a.yaml", "b.yaml"])

    def test_a_toleration_belongs_where_it_reaches_the_task(self):
        self.write("values.yaml", "configmap: {k8s: {plugins: {k8s: {default-cpus: 100m}}}}\n")
        self.write("nodes.yaml", NODES.split("---")[0])
        keys = [self.stories("values.yaml", "nodes.yaml", "--task", spec)[0]["groups"][0]["terms"][0]["demandedBy"]["key"]
                for spec in ("name=t,gpu=1", "name=t,cpu=1")]
        self.assertEqual(keys, ["plugins.k8s.resource-tolerations", "plugins.k8s.default-tolerations"])

    def test_tolerations_of_several_taints_are_one_change(self):
        two = NODES.replace("effect: NoSchedule}\n", "effect: NoSchedule}\n  - {key: lab, effect: NoExecute}\n")
        self.write("nodes.yaml", two)
        for pod in (GOOD_POD, GOOD_POD.replace("spec:\n", "spec:\n  tolerations: []\n"),
                    GOOD_POD.replace("spec:\n", "spec:\n  tolerations:\n  - {key: other, operator: Exists}\n")):
            self.write("pod.yaml", pod)
            story, = self.stories("pod.yaml", "nodes.yaml")
            self.assertEqual(story["change"]["title"], "tolerate `sku=gpu:NoSchedule` and `lab:NoExecute`", pod)
            self.assertEqual(self.why("--fix", "pod.yaml", "nodes.yaml").status, 0, pod)
            self.assertEqual(self.check_json("pod.yaml", "nodes.yaml").ids(), [], pod)

    def test_values_of_a_subchart_get_what_is_new_below_its_key(self):
        self.write("Chart.yaml", "apiVersion: v2\nname: platform\nversion: 0.1.0\n"
                                 "dependencies: [{name: flyte-core, version: 1.13.0, repository: 'https://flyteorg.github.io/flyte'}]\n")
        for given, wanted in (("  configmap: {}\n", "  configmap:\n    k8s:\n      plugins:\n"), ("", "  configmap:\n    k8s:\n")):
            self.write("values.yaml", f"flyte-core:\n{given}  flytepropeller: {{enabled: true}}\n")
            ran = self.why("--fix", "--task", "gpu=1", "values.yaml", "nodes.yaml")
            self.assertEqual(ran.status, 0, ran)
            self.assertIn(wanted, self.read("values.yaml"))

    def test_terms_stand_in_the_order_in_which_one_removes_them(self):
        self.write("pod.yaml", GOOD_POD.replace("gpu: 1", "gpu: 4").replace(
            "spec:\n", "spec:\n  nodeSelector: {nvidia.com/gpu.product: NVIDIA-A100-SXM4-40GB, zone: a}\n"))
        story, = self.stories("pod.yaml", "nodes.yaml")
        terms = [(term["kind"], term["key"]) for term in story["groups"][0]["terms"]]
        self.assertEqual(terms, [("untolerated-taint", "sku"), ("node-selector", "zone"),
                                 ("insufficient-resource", "nvidia.com/gpu"),
                                 ("node-selector", "nvidia.com/gpu.product")])
        self.assertIsNone(story["change"])

    def test_a_label_that_somebody_must_set_is_told_with_the_command(self):
        self.write("pod.yaml", TOLERANT_POD.replace("spec:\n", "spec:\n  nodeSelector: {team: ml}\n"))
        story, = self.stories("pod.yaml", "nodes.yaml")
        self.assertEqual(story["ways"][0]["commands"], ["kubectl label node gpu-1 team=ml"])
        self.assertIn("team=ml", story["cannot"])

    def test_commands_quote_what_a_shell_would_read(self):
        self.write("nodes.yaml", NODES.replace("name: gpu-1", 'name: "gpu-1; reboot"'))
        self.write("pod.yaml", TOLERANT_POD.replace("spec:\n", "spec:\n  nodeSelector: {team: ml}\n"))
        story, = self.stories("pod.yaml", "nodes.yaml")
        self.assertEqual(story["ways"][0]["commands"], ["kubectl label node 'gpu-1; reboot' team=ml"])
        self.write("my nodes.yaml", NODES)
        story, = self.stories("my nodes.yaml", "--task", "name=t,gpu=1")
        self.assertEqual(story["ways"][0]["commands"],
                         ["gpulint generate 'my nodes.yaml' --task name=t,gpu=1 > gpu-values.yaml"])

    def test_rendered_files_and_standard_input_are_never_written(self):
        rendered = "---\n# Source: app/templates/pod.yaml\n" + GOOD_POD
        self.write("pod.yaml", rendered)
        ran = self.why("--fix", "pod.yaml", "nodes.yaml")
        self.assertEqual((ran.status, self.read("pod.yaml")), (2, rendered))
        self.assertIn("rendered by Helm", ran.err)
        self.assertEqual(self.stories("pod.yaml", "nodes.yaml")[0]["change"]["rendered"], ["pod.yaml"])
        ran = self.why("--fix", "-", "nodes.yaml", stdin=GOOD_POD)
        self.assertEqual(ran.status, 2)
        self.assertIn("cannot write to standard input", ran.err)

    def test_changes_for_several_workloads_of_one_file_are_written_together(self):
        self.write("pod.yaml", GOOD_POD + "---\n" + GOOD_POD.replace("name: train", "name: other"))
        self.assertEqual(self.why("--fix", "pod.yaml", "nodes.yaml").status, 0)
        self.assertEqual(self.why("pod.yaml", "nodes.yaml").out, "2 workloads: each fits at least one node\n")

    def test_no_change_costs_another_workload_its_place(self):
        # Both tasks share the one label that values can name; without it one of them has no node.
        self.write("values.yaml", """\
configmap:
  k8s:
    plugins:
      k8s:
        gpu-device-node-label: a.example/gpu
""")
        node = ("apiVersion: v1\nkind: Node\nmetadata: {name: KEY, labels: {KEY.example/gpu: VALUE}}\n"
                'status: {allocatable: {cpu: "8", memory: 32Gi, pods: "110", nvidia.com/gpu: "1"}}\n')
        self.write("nodes.yaml", node.replace("KEY", "a").replace("VALUE", "nvidia-l4") + "---\n" +
                   node.replace("KEY", "b").replace("VALUE", "nvidia-tesla-t4"))
        tasks = ["--task", "name=l,gpu=1,accelerator=L4", "--task", "name=t,gpu=1,accelerator=T4"]
        first, second = self.stories("values.yaml", "nodes.yaml", *tasks)
        self.assertEqual((first["fits"], second["fits"], second["change"]), (True, False, None))
        alone, = self.stories("values.yaml", "nodes.yaml", *tasks[2:])
        self.assertIn("+        gpu-device-node-label: b.example/gpu", alone["change"]["diff"])

    def test_without_values_the_command_is_told_that_writes_them(self):
        nodes = self.write("gke.yaml", (CONVERSATIONS / "why-mig-on-gke/nodes.yaml").read_text())
        task = ["--task", "name=train,gpu=1,accelerator=A100.partition_1g_5gb"]
        story, = self.stories(nodes.name, *task)
        self.assertIsNone(story["change"])
        command, = story["ways"][0]["commands"]
        ran = self.run_gpulint(*command.split(" > ")[0].split()[1:])
        self.assertEqual(ran.status, 0, ran)
        self.write("gpu-values.yaml", ran.out)
        self.assertEqual(self.why(nodes.name, "gpu-values.yaml", *task).status, 0)

    def test_values_without_the_section_get_it(self):
        self.write("gke.yaml", (CONVERSATIONS / "why-mig-on-gke/nodes.yaml").read_text())
        task = ["--task", "name=train,gpu=1,accelerator=A100.partition_1g_5gb"]
        for chart, text in (("flyte-core", "configmap:\n  core:\n    a: b\n"),
                            ("flyte-binary", "configuration:\n  inline:\n    storage:\n      a: b\n")):
            self.write("values.yaml", text)
            words = ["values.yaml", "gke.yaml", "--chart", chart, *task]
            self.assertEqual(self.why("--fix", *words).status, 0, chart)
            self.assertEqual(self.why(*words).out, "task train: fits gke-mig-1\n")

    def test_a_device_plugin_that_runs_nowhere_is_named(self):
        self.write("nodes.yaml", NODES.replace(', nvidia.com/gpu: "1"', ""))
        self.write("pod.yaml", TOLERANT_POD)
        self.write("plugin.yaml", """\
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: nvidia-device-plugin, namespace: kube-system}
spec:
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {a: b}}
    spec:
      nodeSelector: {pool: gpu}
      containers: [{name: c, image: "nvcr.io/nvidia/k8s-device-plugin:v0.17.0"}]
""")
        plugin, pod = sorted(self.stories("pod.yaml", "nodes.yaml", "plugin.yaml"), key=lambda one: one["workload"])
        self.assertIn("tolerate", plugin["change"]["title"])
        self.assertIn("--workload DaemonSet/kube-system/nvidia-device-plugin", pod["cannot"])

    def test_an_amount_that_a_limit_range_gives_is_the_first_to_change(self):
        told = self.why(SOURCE / "rules/no-node-fits/cases/gpus-of-a-limit-range.yaml").out
        self.assertIn("set your own amount of `nvidia.com/gpu` in the containers, or change the default in the LimitRange", told)
        self.assertNotIn("+++", told)

    def test_check_names_why_where_it_has_a_change_that_the_finding_has_not(self):
        self.write("labelled.yaml", NODES.replace("{name: cpu-1}", "{name: cpu-1, labels: {pool: cpu}}"))
        self.write("apart.yaml", TOLERANT_POD.replace("spec:\n", "spec:\n  nodeSelector: {pool: cpu}\n"))
        command = "why --workload Pod/default/train"
        found = self.run_gpulint("check", "apart.yaml", "labelled.yaml")
        self.assertIn(f"`gpulint {command}` to see a change that helps", found.out)
        self.assertIn("With this change it fits", self.run_gpulint(*command.split(), "apart.yaml", "labelled.yaml").out)

    def test_check_does_not_name_why_where_the_finding_says_it_all(self):
        with_fix = self.run_gpulint("check", "pod.yaml", "nodes.yaml")
        with_help = self.run_gpulint("check", SOURCE / "rules/no-node-fits/cases/gpus-of-a-limit-range.yaml")
        for found in with_fix, with_help:
            self.assertEqual(found.status, 1)
            self.assertNotIn("gpulint why", found.out)

    def test_text_stays_within_100_columns_where_words_allow(self):
        for folder in sorted(CONVERSATIONS.glob("why-*")):
            files = [path for path in folder.iterdir() if path.name in ("values.yaml", "nodes.yaml")]
            ran = self.why(*files, "--task", "name=train,gpu=1,accelerator=A100.partition_1g_5gb")
            for line in ran.out.splitlines():
                is_free = line.lstrip().startswith("$ ") or line[:1] in "+-@" or "/" in line
                self.assertTrue(len(line) <= 100 or is_free, line)

    def test_colours_are_there_where_they_are_asked_for(self):
        self.assertIn("\x1b[", self.why("--color", "always", "pod.yaml", "nodes.yaml").out)
        self.assertNotIn("\x1b", self.why("pod.yaml", "nodes.yaml").out)


class Pools(Case):
    """What `why` says about declared pools, and about nodes with unknown facts."""

    POOL = """\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: gpu}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements:
      - {key: karpenter.k8s.aws/instance-family, operator: In, values: [p4d, p5]}
      - {key: karpenter.k8s.aws/instance-cpu, operator: In, values: ["2", "16"]}
"""

    def why(self, *words):
        return self.run_gpulint("why", *words)

    def test_the_requirement_that_excludes_larger_machines_is_named(self):
        self.write("pool.yaml", self.POOL)
        self.write("pod.yaml", GOOD_POD.replace("gpu: 1", "gpu: 8"))
        story, = self.run_gpulint("why", "--format", "json", "pool.yaml", "pod.yaml").json()["workloads"]
        term, = story["groups"][0]["terms"]
        self.assertEqual(term["remark"], "`karpenter.k8s.aws/instance-cpu` excludes `p4d.24xlarge` and `p5.48xlarge`")
        self.assertEqual((term["node"]["file"], term["node"]["range"]["start"]["line"]), ("pool.yaml", 10))

    def test_a_pool_among_the_files_can_be_changed(self):
        self.write("pool.yaml", self.POOL)
        self.write("pod.yaml", GOOD_POD.replace("gpu: 1", "gpu: 8"))
        ran = self.why("pool.yaml", "pod.yaml")
        self.assertIn("No automatic change helps", ran.out)
        self.assertNotIn("No change of these files helps", ran.out)

    def test_a_limit_that_holds_one_pod_is_not_enough_for_two(self):
        self.write("pool.yaml", self.POOL.replace('"2", "16"', '"2", "16", "96"')
                   .replace("spec:\n  template", "spec:\n  limits: {nvidia.com/gpu: 8}\n  template", 1))
        deployment = GOOD_POD.replace("v1\nkind: Pod", "apps/v1\nkind: Deployment").replace("gpu: 1", "gpu: 8")
        head, spec = deployment.split("spec:\n", 1)
        pod = "".join(f"    {line}\n" for line in spec.splitlines())
        self.write("pod.yaml", f"{head}spec:\n  replicas: 2\n  selector: {{matchLabels: {{a: b}}}}\n  template:\n"
                               f"    metadata: {{labels: {{a: b}}}}\n    spec:\n{pod}")
        ran = self.why("pool.yaml", "pod.yaml")
        text = " ".join(ran.out.split())
        self.assertIn("2 pods together request 16 `nvidia.com/gpu`", text)
        self.assertIn("its machines offer enough for one pod", text)
        self.assertNotIn("Karpenter", text)

    def test_a_resource_that_a_node_does_not_list_is_not_an_unknown_amount(self):
        self.write("nodes.yaml", NODES.split("---")[0].replace("  taints:\n  - {key: sku, value: gpu, effect: NoSchedule}\n",
                                                               "  podCIDR: 10.0.0.0/24\n"))
        self.write("pod.yaml", GOOD_POD.replace("nvidia.com/gpu: 1", "nvidia.com/gpu: 1, vpc.amazonaws.com/efa: 4"))
        ran = self.why("pod.yaml", "nodes.yaml")
        text = " ".join(ran.out.split())
        self.assertIn("needs 4 `vpc.amazonaws.com/efa`, which the Node does not list", text)
        self.assertNotIn("unknown amount", text)

    def test_what_an_operator_may_add_to_the_pod_is_not_told_of_the_node(self):
        self.write("nodes.yaml", NODES.split("---")[0])
        self.write("isvc.yaml", """\
apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: {name: flowers}
spec:
  predictor:
    model:
      modelFormat: {name: tensorflow}
      resources: {limits: {nvidia.com/gpu: 1}}
    nodeSelector: {pool: gpu}
    tolerations: [{key: sku, operator: Exists}]
""")
        ran = self.why("isvc.yaml", "nodes.yaml")
        text = " ".join(ran.out.split())
        self.assertIn("the pod may require labels that are not in these files", text)
        self.assertNotIn("its machines offer", text)
        placed = self.run_gpulint("place", "isvc.yaml", "nodes.yaml")
        self.assertNotIn("didn't match", placed.out)


class Partitions(Case):
    """Each strategy and provider: what a constant with a partition can never request, and the ways out."""

    TASK = ["--task", "name=train,gpu=1,accelerator=A100.partition_1g_5gb"]

    def story(self, name):
        folder = pathlib.Path(CONVERSATIONS / f"why-mig-on-{name}")
        ran = self.run_gpulint("why", "--format", "json", folder / "values.yaml", folder / "nodes.yaml", *self.TASK)
        return ran.json()["workloads"][0]

    def test_under_mixed_flyte_1_can_never_request_a_partition(self):
        story = self.story("eks")
        self.assertIn("no accelerator of a task can request them", story["cannot"])
        first, second, last = (way["title"] for way in story["ways"])
        self.assertIn("MIG strategy of ip-10-0-1-7 to `single`", first)
        self.assertIn("request `nvidia.com/mig-1g.5gb` in the task's pod template", second)
        self.assertIn("Flyte 2", last)

    def test_on_gke_values_are_enough(self):
        story = self.story("gke")
        self.assertIn("gke-gpu-partition-size", story["change"]["diff"])
        self.assertEqual((story["cannot"], story["nearest"]), (None, "gke-mig-1"))

    def test_whole_gpus_are_to_be_cut_or_asked_for(self):
        story = self.story("generic")
        self.assertIn("whole GPUs", story["cannot"])
        self.assertEqual([way["title"].split(" ")[0] for way in story["ways"]], ["partition", "let"])

    def test_nvidias_names_tell_the_size_themselves(self):
        self.assertIn("device=NVIDIA-A100-SXM4-40GB-MIG-1g.5gb", self.story("aks")["ways"][0]["title"])


if __name__ == "__main__":
    unittest.main()


class OthersThatMayFit(Case):
    ROLE = """\
    {role}:
      replicas: 1
      template:
        spec:
          containers:
          - name: main
            image: registry.example.com/train:1
            resources: {{limits: {{nvidia.com/gpu: 2}}}}
"""
    NODE = """\
---
apiVersion: v1
kind: Node
metadata: {{name: {name}, labels: {{pool: {name}}}}}
status: {{allocatable: {{cpu: 16, memory: 64Gi, pods: 30{gpus}}}}}
"""
    RUNTIME_CLASS = """\
---
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: {name: runtime}
handler: nvidia
scheduling: {nodeSelector: {pool: cpu}}
"""

    def test_no_change_moves_another_role_off_its_node(self):
        roles = "".join(self.ROLE.format(role=role) for role in ("Master", "Worker"))
        self.write("all.yaml", "apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata: {name: train}\n"
                   f"spec:\n  pytorchReplicaSpecs:\n{roles}" + self.RUNTIME_CLASS
                   + self.NODE.format(name="gpu", gpus=", nvidia.com/gpu: 2") + self.NODE.format(name="cpu", gpus=""))
        ran = self.run_gpulint("why", "all.yaml")
        self.assertIn("may fit", ran.out, ran)  # one role fits, both together do not
        self.assertNotIn("With this change", ran.out, ran)
