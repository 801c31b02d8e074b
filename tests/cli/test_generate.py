"""`generate`: what it writes, what it says of what it cannot write, and its exit status."""
import unittest

from support import Case

EKSCTL = """\
apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata: {name: ml, region: us-east-2, version: "1.31"}
managedNodeGroups:
"""
SYSTEM = "- {name: system, instanceType: m5.xlarge}\n"
A100 = """\
- name: a100
  instanceType: p4d.24xlarge
  labels: {k8s.amazonaws.com/accelerator: nvidia-tesla-a100}
  taints: [{key: dedicated, value: gpu, effect: NoSchedule}]
"""
T4 = "- {name: t4, instanceType: g4dn.xlarge, taints: [{key: dedicated, value: gpu, effect: NoSchedule}]}\n"


class Generate(Case):
    def generate(self, *words):
        ran = self.run_gpulint("generate", "--chart", "flyte-core", *words)
        if ran.status == 0:
            self.assertFalse(ran.out.endswith("{}\n") and "unknown for" in ran.err, ran)
        return ran

    def test_a_machine_without_gpus_is_not_one_that_may_have_some(self):
        self.write("pools.yaml", EKSCTL + SYSTEM + A100)
        ran = self.generate("pools.yaml", "--task", "name=train,gpu=1,accelerator=A100")
        self.assertEqual(ran.status, 0, ran)
        self.assertIn("{key: dedicated, operator: Equal, value: gpu, effect: NoSchedule}  # pool a100: task train", ran.out)

    def test_a_cluster_of_machines_without_gpus_solves_nothing(self):
        self.write("pools.yaml", EKSCTL + SYSTEM)
        ran = self.generate("pools.yaml", "--task", "name=train,gpu=1")
        self.assertEqual(ran.status, 1, ran)
        self.assertIn("# Not solved: task train: no node offers `nvidia.com/gpu`", ran.out)

    def test_what_is_open_is_said_where_nothing_is_written(self):
        self.write("pools.yaml", EKSCTL + SYSTEM + A100.replace("  taints: [{key: dedicated, value: gpu, effect: NoSchedule}]\n", ""))
        ran = self.generate("pools.yaml", "--task", "name=train,gpu=1,accelerator=A100.partition_1g_5gb")
        self.assertEqual(ran.status, 1, ran)
        self.assertTrue(ran.out.endswith("{}\n"))
        said = ("unknown for pool `a100`: no input shows that its nodes have the label "
                "`k8s.amazonaws.com/gpu-partition-size=1g.5gb`")
        self.assertIn(f"# Not certain: task train: {said}", ran.out)
        self.assertIn(f"gpulint: task `train`: {said}", ran.err)
        self.assertIn("label its nodes `k8s.amazonaws.com/gpu-partition-size=1g.5gb`", ran.err)

    def test_a_pool_of_another_model_is_not_meant(self):
        self.write("pools.yaml", EKSCTL + T4)
        for device in ("A100", "H100"):
            ran = self.generate("pools.yaml", "--task", f"name=train,gpu=1,accelerator={device}")
            self.assertEqual(ran.status, 1, ran)
            self.assertIn(f"no GPU node has a label for the device `nvidia-tesla-{device.lower()}`"
                          if device == "A100" else "no GPU node has a label for the device", ran.err)

    def test_eks_labels_no_device_by_itself(self):
        ran = self.generate("--provider", "eks", "--task", "name=train,gpu=1,accelerator=A100")
        self.assertEqual(ran.status, 1, ran)
        self.assertIn("no input shows that its nodes have the label `k8s.amazonaws.com/accelerator=nvidia-tesla-a100`", ran.err)

    def test_gke_does(self):
        ran = self.generate("--provider", "gke", "--task", "name=train,gpu=1,accelerator=A100")
        self.assertEqual(ran.status, 0, ran)
        self.assertIn("gpu-device-node-label: cloud.google.com/gke-accelerator", ran.out)

    MIG_NODE = """\
apiVersion: v1
kind: Node
metadata:
  name: mig-1
  labels: {k8s.amazonaws.com/accelerator: nvidia-tesla-a100, nvidia.com/mig.strategy: mixed}
status: {allocatable: {cpu: "64", memory: 500Gi, pods: "110", nvidia.com/gpu: "0", nvidia.com/mig-1g.5gb: "56"}}
"""
    T4_NODE = """\
apiVersion: v1
kind: Node
metadata: {name: t4-1, labels: {nvidia.com/gpu.product: Tesla-T4}}
status: {allocatable: {cpu: "4", memory: 15Gi, pods: "29", nvidia.com/gpu: "1"}}
"""

    def test_what_nodes_have_none_of_they_do_not_offer(self):
        self.write("nodes.yaml", self.MIG_NODE)
        ran = self.generate("nodes.yaml", "--task", "name=train,gpu=1")
        self.assertEqual(ran.status, 1)
        self.assertIn("no node offers `nvidia.com/gpu`", ran.err)
        self.assertIn("the nodes offer `nvidia.com/mig-1g.5gb`: run the device plugin with MIG strategy `single`", ran.err)

    def test_a_label_that_is_there_is_not_asked_for(self):
        self.write("nodes.yaml", self.MIG_NODE + "---\n" + self.T4_NODE)
        ran = self.generate("nodes.yaml", "--task", "name=train,gpu=1,accelerator=A100")
        self.assertEqual(ran.status, 1)
        self.assertIn("node `mig-1` has the device `nvidia-tesla-a100` but offers no `nvidia.com/gpu`", ran.err)
        self.assertNotIn("label the nodes", ran.err + ran.out)

    def test_labels_of_gpu_feature_discovery_are_not_for_users_to_set(self):
        self.write("nodes.yaml", self.T4_NODE)
        self.write("values.yaml", "configmap: {k8s: {plugins: {k8s: {gpu-device-node-label: nvidia.com/gpu.product}}}}\n")
        ran = self.generate("nodes.yaml", "values.yaml", "--task", "name=train,gpu=1,accelerator=T4")
        self.assertEqual(ran.status, 1)
        self.assertNotIn("nvidia.com/gpu.product=", ran.err + ran.out)
        self.assertIn("`nvidia.com/gpu.product` is set by GPU Feature Discovery: let the task request a device that "
                      "the nodes have", ran.err)

    def test_a_karpenter_pool_is_not_said_to_have_no_gpus(self):
        self.write("pool.yaml", """\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: gpus}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: gpu}
      requirements:
      - {key: karpenter.k8s.aws/instance-family, operator: In, values: [p4d, g5]}
      taints: [{key: nvidia.com/gpu, effect: NoSchedule}]
""")
        ran = self.generate("pool.yaml", "--task", "name=train,gpu=8,accelerator=A100")
        self.assertNotIn("has 0", ran.err)
        self.assertNotIn("larger nodes", ran.err)


if __name__ == "__main__":
    unittest.main()
