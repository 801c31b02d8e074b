"""`why --event`: what schedulers, autoscalers and the kubelet say, held against the files."""
import unittest

from support import GOOD_POD, SOURCE, Case
from test_why import NODES, TOLERANT_POD

EVENTS = SOURCE / "testdata/events"
TAINTED = "0/2 nodes are available: 1 node(s) had untolerated taint {sku: gpu}, 1 Insufficient nvidia.com/gpu."
DUMP = """\
apiVersion: v1
kind: Pod
metadata: {name: train, namespace: ml}
spec:
  containers:
  - name: main
    image: train:1.0
    resources:
      limits: {nvidia.com/gpu: 1}
status:
  phase: Pending
  conditions:
  - message: '0/2 nodes are available: 1 Insufficient nvidia.com/gpu, 1 node(s) had untolerated
      taint {sku: gpu}. preemption: 0/2 nodes are available: 2 Preemption is not helpful
      for scheduling.'
    reason: Unschedulable
    status: "False"
    type: PodScheduled
"""
DESCRIBED = """\
Name:             train-7d9f8b6c5-x2x7q
Namespace:        ml
Node:             <none>
Status:           Pending
Containers:
  main:
    Image:      example.com/train:1
    Limits:
      nvidia.com/gpu:  1
    Requests:
      nvidia.com/gpu:  1
Node-Selectors:              pool=gpus
Tolerations:                 sku=gpu:NoSchedule
                             node.kubernetes.io/not-ready:NoExecute op=Exists for 300s
Events:
  Type     Reason             Age   From                Message
  ----     ------             ----  ----                -------
  Warning  FailedScheduling   5m    default-scheduler   0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector.
  Normal   NotTriggerScaleUp  4m    cluster-autoscaler  pod didn't trigger scale-up: 2 node(s) didn't match Pod's node affinity/selector
"""


class Events(Case):
    def setUp(self):
        super().setUp()
        self.write("nodes.yaml", NODES)
        self.write("pod.yaml", GOOD_POD)

    def why(self, *words, **options):
        return self.run_gpulint("why", *words, **options)

    def event(self, *words, **options):
        return self.why("--format", "json", *words, **options).json()["event"]

    def test_messages_are_read_however_they_are_pasted(self):
        for name in ("apiserver-no-runtime-class", "runtime-handler-of-crio", "autoscaler-title", "apiserver-quota-in-a-log"):
            text = (EVENTS / f"{name}.txt").read_text()
            told = self.why("--event", text)
            self.assertEqual(told.status, 1, name)
            self.write("message.txt", text)
            for words, stdin in ((["-"], text), (["message.txt"], "")):
                with self.subTest(name, words=words):
                    ran = self.why(*words, stdin=stdin)
                    self.assertEqual(ran.status, 1)
                    self.assertEqual(ran.out.split("\n\n")[0].strip(), told.out.split("\n\n")[0].strip())

    def test_the_command_that_is_proposed_compares_the_pod_with_the_nodes_of_the_folder(self):
        (self.folder / "pod.yaml").unlink()
        text = "0/2 nodes are available: 2 Insufficient nvidia.com/gpu."
        for paths, proposed in (([], "gpulint why .\n"), (["nodes.yaml"], "gpulint why nodes.yaml pod.yaml\n")):
            self.assertIn("$ " + proposed, self.run_gpulint("why", "--event", text, *paths).out)

    def test_text_without_a_message_is_told_what_would_be_one(self):
        ran = self.why("-", stdin="my pod hangs and I do not know why\n")
        self.assertEqual(ran.status, 2)
        self.assertIn("kubectl describe pod", ran.err)
        self.assertEqual(self.why("pod.yaml", "nodes.yaml").err.count("kubectl describe"), 0)

    def test_what_the_files_show_is_explained(self):
        event = self.event("pod.yaml", "nodes.yaml", "--event", TAINTED)
        self.assertEqual((event["text"], event["unexplained"]), (TAINTED, []))
        taint, amount = event["claims"]
        self.assertEqual({key: taint[key] for key in ("kind", "count", "total", "key", "value", "workload", "standing")},
                         {"kind": "untolerated-taint", "count": 1, "total": 2, "key": "sku", "value": "gpu",
                          "workload": "Pod/default/train", "standing": "explained"})
        self.assertEqual((taint["place"]["file"], taint["place"]["range"]["start"]["line"]), ("nodes.yaml", 10))
        self.assertEqual(TAINTED[taint["start"]:taint["end"]], "1 node(s) had untolerated taint {sku: gpu}")
        self.assertEqual((amount["kind"], amount["key"], amount["standing"]),
                         ("insufficient-resource", "nvidia.com/gpu", "explained"))
        self.assertIn("cpu-1 offers none", amount["finding"])

    def test_what_they_do_not_show_is_said_with_what_to_export(self):
        event = self.event("pod.yaml", "nodes.yaml", "--event", "0/5 nodes are available: 1 node(s) had untolerated taint "
                           "{sku: gpu}, 3 Insufficient nvidia.com/gpu, 1 node(s) had untolerated taint {team: a}.")
        whys = [entry["why"] for entry in event["unexplained"]]
        self.assertEqual(whys[0], "the event counts 5 nodes, the files have 2")
        self.assertIn("the files show this for 1 of 3 nodes: 1 requested, cpu-1 offers none", whys[1])
        self.assertEqual(whys[2], "no node in these files has this taint")
        self.assertEqual({entry["command"] for entry in event["unexplained"]}, {"kubectl get nodes -o yaml > nodes.yaml"})

    def test_a_pod_that_waits_is_never_told_that_all_is_well(self):
        self.write("pod.yaml", TOLERANT_POD)
        ran = self.why("pod.yaml", "nodes.yaml", "--event", TAINTED)
        self.assertEqual(ran.status, 1)
        self.assertIn("gpu-1 has this taint, but in these files the pod tolerates it", ran.out)
        self.assertIn("kubectl get pod NAME -o yaml > pod.yaml", ran.out)
        self.assertIn("In these files it fits", ran.out)

    def test_a_claim_about_volumes_or_other_pods_names_the_line_of_the_pod(self):
        """Each line is the one that the scheduler's plugin reads: the claim's name, or the topology key."""
        ties = """\
  affinity:
    podAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
      - {topologyKey: rack, labelSelector: {matchLabels: {app: cache}}}
    podAntiAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
      - {topologyKey: rack, labelSelector: {matchLabels: {app: train}}}
  topologySpreadConstraints:
  - {topologyKey: zone, whenUnsatisfiable: ScheduleAnyway, maxSkew: 1}
  - {topologyKey: rack, whenUnsatisfiable: DoNotSchedule, maxSkew: 1}
  volumes:
  - {name: data, persistentVolumeClaim: {claimName: data}}
"""
        self.write("nodes.yaml", NODES.replace("    pool: gpu\n", "    pool: gpu\n    rack: a\n"))
        pod = TOLERANT_POD.replace("spec:\n", "spec:\n" + ties, 1)
        self.write("pod.yaml", pod)
        lines = pod.splitlines()
        for words, line in (("had volume node affinity conflict", "claimName"),
                            ("didn't match pod topology spread constraints", "rack, whenUnsatisfiable"),
                            ("didn't match pod affinity rules", "app: cache"),
                            ("didn't match pod anti-affinity rules", "app: train")):
            text = f"0/2 nodes are available: 1 Insufficient nvidia.com/gpu, 1 node(s) {words}."
            claim = self.event("pod.yaml", "nodes.yaml", "--event", text)["claims"][1]
            self.assertIn(line, lines[claim["place"]["range"]["start"]["line"] - 1], words)
            self.assertNotIn("In these files it fits", self.why("pod.yaml", "nodes.yaml", "--event", text).out, words)
        foreign = "0/2 nodes are available: 2 node(s) didn't satisfy existing pods anti-affinity rules."
        self.assertIsNone(self.event("pod.yaml", "nodes.yaml", "--event", foreign)["claims"][0].get("place"))

    def test_pods_that_are_bound_hold_what_they_request(self):
        busy = TOLERANT_POD.replace("name: train", "name: busy").replace("spec:\n", "spec:\n  nodeName: gpu-1\n", 1)
        self.write("pod.yaml", TOLERANT_POD)
        said = "0/2 nodes are available: 2 Insufficient nvidia.com/gpu."
        words = ("pod.yaml", "nodes.yaml", "--workload", "Pod/default/train", "--event", said)
        self.assertEqual(len(self.event(*words)["unexplained"]), 1)
        self.write("busy.yaml", busy)
        event = self.event("busy.yaml", *words)
        self.assertEqual(event["unexplained"], [])
        self.assertIn("gpu-1 offers 1 (1 is used by Pod/default/busy)", event["claims"][0]["finding"])
        self.write("busy.yaml", busy + "status: {phase: Succeeded}\n")
        self.assertEqual(len(self.event("busy.yaml", *words)["unexplained"]), 1)

    def test_without_files_the_text_is_explained(self):
        for name in self.folder.iterdir():
            name.unlink()
        for path in sorted(EVENTS.glob("*.txt")):
            ran = self.why("--event", path)
            self.assertEqual(ran.status, 1, path)
            self.assertNotIn("each fits", ran.out, path)
            same = self.why("--event", "-", stdin=path.read_text())
            self.assertEqual(same.out, ran.out, path)
            self.assertEqual(self.why("--event", path.read_text().rstrip("\n")).out, ran.out, path)

    def test_the_pod_that_is_named_is_the_one_that_is_told_of(self):
        self.write("pod.yaml", GOOD_POD + "---\n" + GOOD_POD.replace("name: train", "name: other"))
        row = f"2m  Warning  FailedScheduling  pod/other  {TAINTED}"
        output = self.why("pod.yaml", "nodes.yaml", "--format", "json", "--event", row).json()
        self.assertEqual([story["workload"] for story in output["workloads"]], ["Pod/default/other"])
        ran = self.why("pod.yaml", "nodes.yaml", "--event", TAINTED)
        self.assertIn("The event does not name its workload", ran.out)
        self.write("pod.yaml", GOOD_POD)
        stranger = self.event("pod.yaml", "nodes.yaml", "--event", row)
        self.assertEqual({claim["workload"] for claim in stranger["claims"]}, {None})

    def test_a_pod_that_no_file_creates_is_not_answered_with_another(self):
        row = f"2m  Warning  FailedScheduling  pod/stranger-x7k2p  {TAINTED}"
        self.assertEqual(self.why("pod.yaml", "nodes.yaml", "--format", "json", "--event", row).json()["workloads"], [])
        self.write("values.yaml", "configuration: {inline: {plugins: {k8s: {gpu-resource-name: nvidia.com/gpu}}}}\n")
        self.write("tasks.yaml", "- {name: train, gpu: 1}\n")
        task = ("values.yaml", "nodes.yaml", "--tasks", "tasks.yaml")
        told = lambda pod: {claim["workload"] for claim in self.event(*task, "--event", row.replace("stranger-x7k2p", pod))["claims"]}
        self.assertEqual(told("other-7d9f"), {None})
        self.assertNotEqual(told("f1a2b3-n0-0"), {None})

    def test_an_amount_that_is_not_whole_is_explained(self):
        text = 'The Pod "x" is invalid: spec.containers[0].resources.limits[nvidia.com/gpu]: Invalid value: "500m": must be an integer'
        claim, = self.event("--event", text)["claims"]
        self.assertEqual((claim["kind"], claim["key"], claim["value"], claim["speaker"]), ("fraction", "nvidia.com/gpu", '"500m"', "kube-apiserver"))
        self.assertIn("whole devices only", self.why("--event", text).out)

    def test_the_fields_that_a_webhook_denies_are_found(self):
        self.write("pod.yaml", """\
apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: {name: flowers}
spec:
  predictor:
    model: {modelFormat: {name: tensorflow}}
    nodeSelector: {pool: gpu}
    tolerations: [{key: sku, operator: Exists}]
""")
        text = ('admission webhook "validation.webhook.serving.knative.dev" denied the request: validation failed: must not set '
                "the field(s): spec.template.spec.nodeSelector, spec.template.spec.tolerations")
        told = self.event("pod.yaml", "nodes.yaml", "--event", text)
        self.assertEqual([(claim["kind"], claim["value"], claim["standing"], claim["place"]["range"]["start"]["line"])
                          for claim in told["claims"]],
                         [("denied", "spec.template.spec.nodeSelector", "explained", 7),
                          ("denied", "spec.template.spec.tolerations", "explained", 8)])
        claim, = self.event("--event", "The request is invalid: spec.template.spec.GPUs: GPU nvidia.com/TU102 is not permitted")["claims"]
        self.assertEqual((claim["key"], claim["value"]), (None, "spec.template.spec.GPUs"))

    def test_a_denial_with_a_known_message_is_told_as_that(self):
        claim, = self.event("--event", 'admission webhook "a.b.c" denied the request: Pod "train": spec.containers[0].resources.'
                                       'limits[nvidia.com/gpu]: Invalid value: "500m": must be an integer')["claims"]
        self.assertEqual((claim["kind"], claim["key"]), ("fraction", "nvidia.com/gpu"))

    def test_of_several_clusters_one_must_be_named(self):
        nodes = self.read("nodes.yaml")
        for name in ("a", "b"):
            self.write(f"{name}/nodes.yaml", nodes.replace("gpu-1", f"{name}-1"))
        self.write("gpulint.yaml", "scopes: [{name: a, paths: [a/**]}, {name: b, paths: [b/**]}]\n")
        for name in ("nodes.yaml", "pod.yaml"):
            (self.folder / name).unlink()
        self.write("described.txt", DESCRIBED)
        ran = self.why(".", "described.txt")
        self.assertIn("The files describe 2 clusters. Name the one that the pod is in:\n"
                      "  $ gpulint why a described.txt\n  $ gpulint why b described.txt\n", ran.out)
        self.assertIn("Pod/ml/train-7d9f8b6c5-x2x7q", self.why("a", "described.txt").out)

    def test_a_pod_of_a_deployment_is_told_by_its_name(self):
        self.write("pod.yaml", """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: serve, namespace: ml}
spec:
  selector: {matchLabels: {app: serve}}
  template:
    metadata: {labels: {app: serve}}
    spec:
      containers:
      - {name: main, image: serve:1, resources: {limits: {nvidia.com/gpu: 1}}}
---
""" + GOOD_POD)
        row = f"ml  2m  Warning  FailedScheduling  pod/serve-5b6c7f889c-f54c6  {TAINTED}"
        event = self.event("pod.yaml", "nodes.yaml", "--event", row)
        self.assertEqual({claim["workload"] for claim in event["claims"]}, {"Deployment/ml/serve"})

    def test_karpenter_pools_are_held_against_those_of_the_files(self):
        self.write("pool.yaml", """\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: gpu}
spec:
  template:
    spec:
      taints: [{key: sku, value: gpu, effect: NoSchedule}]
      requirements: [{key: karpenter.k8s.aws/instance-family, operator: In, values: [g5]}]
""")
        said = 'Failed to schedule pod, incompatible with nodepool "{}", did not tolerate sku=gpu:NoSchedule'
        event = self.event("pod.yaml", "pool.yaml", "--event", said.format("gpu"))
        claim, = event["claims"]
        self.assertEqual((claim["standing"], claim["place"]["file"]), ("explained", "pool.yaml"))
        entry, = self.event("pod.yaml", "pool.yaml", "--event", said.format("big"))["unexplained"]
        self.assertIn("the files have no pool `big`", entry["why"])
        self.assertEqual(entry["command"], "kubectl get nodepools -o yaml > nodepools.yaml")

    def test_machines_of_a_karpenter_pool_are_named(self):
        self.write("pool.yaml", """\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: nodepool-code-analyzer}
spec:
  template:
    spec:
      requirements:
      - {key: node.kubernetes.io/instance-type, operator: In, values: [g4dn.2xlarge, g4dn.4xlarge]}
""")
        claim, = self.event("pod.yaml", "pool.yaml", "--event", EVENTS / "karpenter-two-gpus.txt")["claims"]
        self.assertEqual((claim["kind"], claim["key"], claim["value"]), ("no-machine", "nvidia.com/gpu", "2"))
        self.assertIn("in these files it may use g4dn.2xlarge, g4dn.4xlarge", claim["finding"])
        self.assertEqual(claim["place"]["file"], "pool.yaml")

    def test_descriptions_and_dumps_among_the_inputs_are_read(self):
        self.write("pod.yaml", DUMP)
        output = self.why("pod.yaml", "nodes.yaml", "--format", "json").json()
        self.assertEqual([(claim["kind"], claim["standing"], claim["workload"]) for claim in output["event"]["claims"]],
                         [("insufficient-resource", "explained", "Pod/ml/train"),
                          ("untolerated-taint", "explained", "Pod/ml/train"), ("preemption", "beyond-files", "Pod/ml/train")])
        described = EVENTS / "describe-pod-insufficient.txt"
        ran = self.why(described, "nodes.yaml")
        self.assertEqual(ran.status, 1)
        self.assertIn("1 Insufficient nvidia.com/gpu", ran.out)
        ran = self.run_gpulint("check", described, "nodes.yaml")
        self.assertIn("`gpulint why` reads", ran.out)

    def test_a_described_pod_is_placed_wherever_its_text_comes_from(self):
        (self.folder / "pod.yaml").unlink()
        self.write("other.yaml", GOOD_POD.replace("name: train", "name: other"))
        self.write("described.txt", DESCRIBED)
        told = "`pool=gpus` is required: gpu-1 has `gpu`"
        for words, stdin in ((["described.txt", "nodes.yaml"], ""), (["-", "nodes.yaml"], DESCRIBED), (["--event", "-", "nodes.yaml"], DESCRIBED),
                             (["--event", "described.txt", "nodes.yaml"], ""), (["--event", DESCRIBED, "nodes.yaml"], ""),
                             (["--event", "-"], DESCRIBED), (["--event", "-", "."], DESCRIBED), ([".", "-"], DESCRIBED),
                             (["--event", "-", "nodes.yaml", "other.yaml"], DESCRIBED)):
            with self.subTest(words=words[:2]):
                ran = self.why(*words, stdin=stdin)
                self.assertEqual(ran.status, 1)
                self.assertEqual(ran.out.count(told), 2, ran.out)
                self.assertNotIn("--show-labels", ran.out)
                self.assertNotIn("> pod.yaml", ran.out)
                self.assertIn("Pod/ml/train-7d9f8b6c5-x2x7q: fits no node", ran.out)
                self.assertIn("read as the pod", ran.err)

    def test_a_description_without_events_is_placed(self):
        text = DESCRIBED[:DESCRIBED.index("Events:")] + "Events:  <none>\n"
        ran = self.why("--event", "-", "nodes.yaml", stdin=text)
        self.assertEqual(ran.status, 1)
        self.assertIn("needs `pool=gpus`, has `gpu`", ran.out)

    def test_the_value_that_a_described_pod_needs_is_named(self):
        for words in (["--event", "-", "nodes.yaml"], ["-", "nodes.yaml"]):
            ran = self.why(*words, stdin=DESCRIBED)
            self.assertIn("To make it fit:\n  require `pool=gpu`\n     in the object that creates the pod\n", ran.out)
            self.assertNotIn("--fix", ran.out)
            self.assertEqual(self.why(*words, "--fix", stdin=DESCRIBED).out, ran.out)

    def test_an_image_that_is_not_pulled_is_not_about_placement(self):
        for name in ("kubelet-no-such-image", "pods-table-image-pull"):
            ran = self.why("--event", EVENTS / f"{name}.txt")
            self.assertEqual(ran.status, 1)
            self.assertIn(": its image cannot be pulled\n", ran.out)
            self.assertIn("not about GPUs or placement", ran.out.replace("\n      ", " "))
            self.assertIn("$ kubectl describe pod ", ran.out)
        self.assertIn("the registry has no such image or tag", self.why("--event", EVENTS / "kubelet-no-such-image.txt").out.replace("\n      ", " "))

    def test_check_does_not_call_a_pod_that_waits_fine(self):
        self.write("pod.yaml", DUMP.replace("spec:\n", "spec:\n  tolerations: [{key: sku, operator: Exists}]\n", 1))
        ran = self.run_gpulint("check", "pod.yaml")
        self.assertNotIn("No problems found", ran.out)
        self.assertIn("why pod train does not run", ran.out)

    def test_what_cannot_be_read_is_refused(self):
        for words in (["--event", "kind: Pod"], ["--event", "-", "-"], ["--event", ""], ["--event", "missing.txt"]):
            ran = self.why(*words, "nodes.yaml", stdin="")
            self.assertEqual(ran.status, 2, words)
            self.assertNotEqual(ran.err, "", words)

    def test_hostile_text_is_printed_without_control_characters(self):
        said = "0/1 nodes are available: 1 node(s) had untolerated taint {a\x1b[31m: b}."
        for extra in ([], ["--format", "json"]):
            ran = self.why("pod.yaml", "nodes.yaml", "--event", said, *extra)
            self.assertNotIn("\x1b", ran.out)


if __name__ == "__main__":
    unittest.main()
