"""One verdict: `check`, `place` and `why` say the same of a workload."""
import unittest

from support import SOURCE, Case

VERDICTS = SOURCE / "testdata/verdicts"
# What runs by what is known: True, False, or None where it is not certain; and what stops it. By the file's name.
EXPECTED = {
    "admission-by-evidence": (True, set()),
    "bound-pod": (False, {"node", "insufficient-resource"}),
    "cordoned-node": (False, {"unschedulable"}),
    "daemon-sets": (False, {"insufficient-resource"}),
    "dra-machine": (None, {"device"}),
    "hami-cards": (False, {"device"}),
    "karpenter-daemon-sets": (None, {"insufficient-resource"}),
    "karpenter-limit": (False, {"unschedulable"}),
    "karpenter-machine": (False, {"insufficient-resource"}),
    "karpenter-max-pods": (False, {"insufficient-resource"}),
    "karpenter-no-machine": (False, {"unschedulable"}),
    "kueue-flavor": (False, {"node-selector"}),
    "limit-range-default": (False, {"insufficient-resource"}),
    "missing-local-queue": (None, {"queue"}),
    "more-than-all-nodes": (None, {"capacity"}),
    "node-each": (None, {"capacity"}),
    "pod-affinity": (None, {"topology", "insufficient-resource"}),
    "quota": (False, {"quota"}),
    "runtime-class": (False, {"admission"}),
    "taint": (False, {"untolerated-taint"}),
    "topology-spread": (None, {"topology", "insufficient-resource"}),
    "volcano-share": (False, {"device"}),
    "volume": (False, {"topology", "insufficient-resource"}),
}
# A state that passes is not an error of the files.
TRANSIENT = {"cordoned-node"}


class VerdictLaw(Case):
    def run_json(self, command, name, *words):
        return self.run_gpulint(command, "--no-config", "--format", "json", *words, VERDICTS / f"{name}.yaml").json()

    def findings(self, name):
        return [finding for finding in self.run_json("check", name)["diagnostics"] if finding["severity"] != "info"]

    def cells(self, name):
        return [cell for cell in self.run_json("place", name)["results"] if cell["workload"].endswith("/train")]

    def story(self, name):
        story, = self.run_json("why", name, "--workload", "train")["workloads"]
        return story

    def test_each_file_has_a_verdict(self):
        self.assertEqual({path.stem for path in VERDICTS.glob("*.yaml")}, set(EXPECTED))

    def test_check_reports_an_error_exactly_of_what_certainly_does_not_run(self):
        for name, (fits, _) in EXPECTED.items():
            expected = [] if fits or name in TRANSIENT else ["warning" if fits is None else "error"]
            self.assertEqual([finding["severity"] for finding in self.findings(name)], expected, name)

    def test_place_says_so(self):
        for name, (fits, kinds) in EXPECTED.items():
            cells = self.cells(name)
            said = {cell["fits"] for cell in cells}
            self.assertIs(True if True in said else None if None in said else False, fits, name)
            self.assertEqual({reason["kind"] for cell in cells for reason in cell["reasons"]
                              if reason.get("certain", True) or fits is None}, kinds, name)

    def test_why_says_so(self):
        for name, (fits, kinds) in EXPECTED.items():
            story = self.story(name)
            self.assertIs(story["fits"], fits, name)
            gates = {obstacle["gate"] for obstacle in story.get("obstacles", [])}
            terms = {term["kind"] for group in story["groups"] for term in group["terms"]
                     if term.get("certain", True) or fits is None}
            self.assertEqual(gates | terms, kinds, name)

    def test_an_obstacle_before_the_nodes_is_one_sentence_in_all_commands(self):
        for name in ("quota", "hami-cards", "dra-machine", "bound-pod", "more-than-all-nodes", "node-each", "pod-affinity",
                     "topology-spread", "volume", "runtime-class"):
            message = self.findings(name)[0]["message"]
            reasons = [reason for cell in self.cells(name) for reason in cell["reasons"]]
            self.assertIn(message, [reason.get("detail") for reason in reasons], name)
            self.assertIn(message, [obstacle["reason"] for obstacle in self.story(name)["obstacles"]], name)
            for command in ("place", "why"):
                text = self.run_gpulint(command, "--no-config", VERDICTS / f"{name}.yaml")
                self.assertEqual(text.status, 1, name)
                self.assertIn(message, " ".join(text.out.split()), name)

    def test_a_state_that_passes_is_marked(self):
        cell, = self.cells("cordoned-node")
        self.assertEqual([reason["transient"] for reason in cell["reasons"]], [True])

    def test_admission_by_evidence_is_one_sentence(self):
        said = {self.run_gpulint(command, "--no-config", VERDICTS / "admission-by-evidence.yaml").err
                for command in ("place", "why")}
        self.assertEqual(len(said), 1, said)
        self.assertIn("--provider generic", said.pop())
        refused = self.run_gpulint("place", "--no-config", "--provider", "generic", VERDICTS / "admission-by-evidence.yaml")
        self.assertIn("had untolerated taint {nvidia.com/gpu: present}", refused.out)


HEAD_POD = """\
apiVersion: v1
kind: Node
metadata:
  name: gpu-1
spec: {taints: [{key: nvidia.com/gpu, value: present, effect: NoSchedule}]}
status: {allocatable: {cpu: "32", memory: 128Gi, pods: "110", nvidia.com/gpu: "4"}}
---
apiVersion: v1
kind: Node
metadata: {name: cpu-1}
status: {allocatable: {cpu: "8", memory: 16Gi, pods: "110"}}
---
apiVersion: ray.io/v1
kind: RayCluster
metadata: {name: train}
spec:
  headGroupSpec:
    rayStartParams: {num-gpus: "0"}
    template:
      spec:
        containers:
        - name: ray-head
          image: rayproject/ray:2.41.0
          resources: {limits: {cpu: "4", memory: 32Gi}}
  workerGroupSpecs:
  - groupName: gpu
    replicas: 1
    minReplicas: 1
    maxReplicas: 1
    rayStartParams: {}
    template:
      spec:
        tolerations: [{key: nvidia.com/gpu, operator: Exists}]
        containers:
        - name: ray-worker
          image: rayproject/ray:2.41.0-gpu
          resources: {limits: {cpu: "4", memory: 16Gi, nvidia.com/gpu: 1}}
"""


class PodsBesideGpus(Case):
    """Pods that request no GPU and run beside those that do."""

    def setUp(self):
        super().setUp()
        self.write("ray.yaml", HEAD_POD)

    def test_a_head_that_fits_no_node_is_a_warning(self):
        finding, = self.check_json("ray.yaml").json()["diagnostics"]
        self.assertEqual((finding["id"], finding["severity"]), ("no-node-fits", "warning"))
        self.assertEqual(finding["message"], "the head of RayCluster `train` does not fit any node: the most suitable "
                                             "node `cpu-1` does not have enough `memory`")
        fits = {cell["workload"]: cell["fits"] for cell in
                self.run_gpulint("place", "--format", "json", "ray.yaml").json()["results"] if cell["node"] == "cpu-1"}
        self.assertEqual(fits["RayCluster/default/train/head"], False)

    def test_nodes_without_gpus_may_be_missing(self):
        nodes = HEAD_POD.split("---\n")
        self.write("ray.yaml", "---\n".join([nodes[0], *nodes[2:]]))
        self.assertEqual(self.check_json("ray.yaml").ids(), [])

    def test_a_head_that_fits_some_node_is_none(self):
        self.write("ray.yaml", HEAD_POD.replace("memory: 32Gi", "memory: 8Gi"))
        self.assertEqual(self.check_json("ray.yaml").ids(), [])


GPU_NODE = """\
apiVersion: v1
kind: Node
metadata: {name: gpu-1}
spec: {taints: %s}
status: {allocatable: {cpu: "32", memory: 128Gi, pods: "110", nvidia.com/gpu: "4"}}
---
"""
TRAIN = """\
apiVersion: v1
kind: Pod
metadata: {name: train}
spec:
  nodeSelector: %s
  containers:
  - name: main
    image: train:1.0
    resources: {limits: {nvidia.com/gpu: 1%s}}
"""


RUNTIME_CLASS = """\
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: {name: %s}
handler: runsc
scheduling: {nodeSelector: {pool: %s}}
---
"""


class UnknownFacts(Case):
    """What the inputs leave out is unknown in all commands."""

    def verdict(self, taints="[]", selector="{}", more="", before=""):
        self.write("pod.yaml", before + GPU_NODE % taints + TRAIN % (selector, more))
        cell, = self.run_gpulint("place", "--format", "json", "pod.yaml").json()["results"]
        story, = self.run_gpulint("why", "--format", "json", "--workload", "train", "pod.yaml").json()["workloads"]
        self.assertIs(story["fits"], cell["fits"])
        return cell["fits"], self.check_json("pod.yaml").ids()

    def test_a_resource_of_a_plugin_that_no_node_shows(self):
        self.assertEqual(self.verdict(more=", rdma/hca: 1"), (None, []))

    def test_a_resource_that_the_gpu_plugin_would_show(self):
        self.assertEqual(self.verdict(more=", nvidia.com/mig-1g.5gb: 1"), (False, ["resource-not-offered"]))

    def test_a_label_that_every_kubelet_sets(self):
        self.assertEqual(self.verdict(selector="{kubernetes.io/arch: amd64}"), (None, []))

    def test_a_label_that_somebody_sets(self):
        self.assertEqual(self.verdict(selector="{pool: gpu}"), (False, ["unmatched-node-selector"]))

    def test_a_taint_whose_key_is_templated(self):
        self.assertEqual(self.verdict(taints='[{key: "{{ key }}", effect: NoSchedule}]'), (None, []))

    def verdict_with(self, line, taints="[]", before=""):
        """Of a pod with one more line in its spec."""
        return self.verdict(taints, selector="{}\n  " + line, before=before)

    def test_a_runtime_class_that_is_not_among_the_inputs(self):
        other = RUNTIME_CLASS % ("gvisor", "other")
        for before in ("", other):
            self.assertEqual(self.verdict_with("runtimeClassName: kata", before=before), (None, []))
            said = "the RuntimeClass `kata` of Pod `train` is unknown"
            for command in ("place", "why"):
                self.assertIn(f"not certain: {said}", " ".join(self.run_gpulint(command, "pod.yaml").out.split()))
        # Its class may tolerate the taint.
        self.assertEqual(self.verdict_with("runtimeClassName: kata", "[{key: a, effect: NoSchedule}]"), (None, []))
        self.assertIn("has the taint `a:NoSchedule`, and whether the pod tolerates it is not known", " ".join(self.run_gpulint("why", "pod.yaml").out.split()))
        # The GPU operator makes this one, and it adds nothing.
        self.assertEqual(self.verdict_with("runtimeClassName: nvidia", before=other), (True, []))
        self.assertEqual(self.verdict_with("runtimeClassName: gvisor", before=other), (False, ["unmatched-node-selector"]))

    def test_a_node_that_is_not_among_the_inputs(self):
        for taints in ("[]", "[{key: a, effect: NoExecute}]"):
            self.assertEqual(self.verdict_with("nodeName: gpu-9", taints), (None, []))
            for command in ("place", "why"):
                self.assertIn("not certain: Pod `train` is bound by name to node `gpu-9`, which is not among the inputs",
                              " ".join(self.run_gpulint(command, "pod.yaml").out.split()))
        self.assertEqual(self.verdict(selector="{}\n  nodeName: gpu-9", more=", nvidia.com/mig-1g.5gb: 1"), (None, []))
        self.assertEqual(self.verdict_with("nodeName: gpu-1"), (True, []))

    def test_what_is_unknown_of_a_node_is_named(self):
        self.write("pod.yaml", GPU_NODE % "[]" + TRAIN % ("{}", ", rdma/hca: 1"))
        self.assertIn("gpu-1 may accept it: the Node does not list `rdma/hca`",
                      " ".join(self.run_gpulint("why", "pod.yaml").out.split()))


AGENT = """\
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: %s}
spec:
  selector: {matchLabels: {app: a}}
  template:
    metadata: {labels: {app: a}}
    spec:
      containers:
      - {name: main, image: "agent:1.0"}
---
"""


class PodsOfANode(Case):
    """DaemonSets also count towards the most pods that a node runs."""

    def verdict(self, pods):
        node = GPU_NODE % "[]"
        self.write("pod.yaml", node.replace('pods: "110"', f'pods: "{pods}"') + AGENT % "logs" + AGENT % "metrics"
                   + TRAIN % ("{}", ""))
        results = self.run_gpulint("place", "--format", "json", "pod.yaml").json()["results"]
        cell, = [cell for cell in results if cell["workload"].endswith("/train")]
        story, = self.run_gpulint("why", "--format", "json", "--workload", "train", "pod.yaml").json()["workloads"]
        self.assertIs(story["fits"], cell["fits"])
        return cell["fits"], self.check_json("pod.yaml").ids()

    def test_nothing_is_left(self):
        self.assertEqual(self.verdict(2), (False, ["no-node-fits"]))
        self.assertIn("Too many pods", self.run_gpulint("place", "pod.yaml").out)

    def test_one_is_left(self):
        self.assertEqual(self.verdict(3), (True, []))


GPU_POOL = """\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: gpu-l4}
spec:
  template:
    metadata: {labels: {workload: inference}}
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      taints: [{key: nvidia.com/gpu, value: "true", effect: NoSchedule}]
      requirements:
      - {key: node.kubernetes.io/instance-type, operator: In, values: [g6.xlarge, g6.2xlarge]}
"""
GENERAL_POOL = """\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: general}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements:
      - {key: karpenter.k8s.aws/instance-category, operator: In, values: [m, c]}
"""
JOB = """\
apiVersion: batch/v1
kind: Job
metadata: {name: infer}
spec:
  template:
    spec:
      restartPolicy: Never
      nodeSelector: {workload: inference}
      tolerations: [{key: nvidia.com/gpu, operator: Exists}]
      containers:
      - name: main
        image: infer:1.0
        resources: {limits: {nvidia.com/gpu: 2}}
"""


class OrderOfInputs(Case):
    """Pools of Karpenter in either order."""

    def setUp(self):
        super().setUp()
        for name, text in (("gpu.yaml", GPU_POOL), ("general.yaml", GENERAL_POOL), ("job.yaml", JOB)):
            self.write(name, text)

    def test_a_pool_without_gpus_is_not_open_for_a_gpu(self):
        cells = self.run_gpulint("place", "--format", "json", "gpu.yaml", "general.yaml", "job.yaml").json()["results"]
        self.assertEqual({cell["node"]: cell["fits"] for cell in cells}, {"gpu-l4": False, "general": False})

    def test_what_machines_lack_is_said_once(self):
        self.write("general.yaml", GENERAL_POOL.replace("karpenter.k8s.aws/instance-category", "node.kubernetes.io/instance-type")
                   .replace("[m, c]", "[m5.large]"))
        self.write("job.yaml", JOB.replace("      nodeSelector: {workload: inference}\n", ""))
        cell, = self.run_gpulint("place", "--format", "json", "general.yaml", "job.yaml").json()["results"]
        self.assertEqual([(reason["kind"], reason["detail"]) for reason in cell["reasons"]],
                         [("insufficient-resource", "nvidia.com/gpu")])

    def test_machines_that_are_large_enough_are_named(self):
        self.write("job.yaml", JOB.replace("nvidia.com/gpu: 2", "nvidia.com/gpu: 1"))
        told = self.run_gpulint("why", "gpu.yaml", "general.yaml", "job.yaml").out
        self.assertIn("its machines offer enough (`g6.xlarge` and `g6.2xlarge`)", told)
        self.assertNotIn("not in these files", told)

    def test_why_does_not_depend_on_the_order(self):
        told = {self.run_gpulint("why", *files).out
                for files in (("gpu.yaml", "general.yaml", "job.yaml"), ("general.yaml", "gpu.yaml", "job.yaml"))}
        self.assertEqual(len(told), 1, told)
        self.assertIn("needs 2 `nvidia.com/gpu`, offers 1", told.pop())


if __name__ == "__main__":
    unittest.main()
