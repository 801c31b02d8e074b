"""`why` by name: nearest names that nodes have, names as they are typed, what a text names."""
import os
import shutil
import subprocess
import unittest

from support import GPULINT, Case

NODES = """\
apiVersion: v1
kind: Node
metadata: {name: dgx-1, labels: {nvidia.com/gpu.product: NVIDIA-A100-SXM4-80GB}}
status: {allocatable: {cpu: "8", memory: 32Gi, pods: "110", nvidia.com/gpu: "8"}}
---
apiVersion: v1
kind: Node
metadata: {name: t4-1, labels: {nvidia.com/gpu.product: Tesla-T4}}
status: {allocatable: {cpu: "8", memory: 32Gi, pods: "110", nvidia.com/gpu: "4"}}
"""
MIG_NODES = """\
apiVersion: v1
kind: Node
metadata: {name: mig-1}
status: {allocatable: {cpu: "8", memory: 32Gi, pods: "110", nvidia.com/mig-1g.5gb: "7"}}
---
apiVersion: v1
kind: Node
metadata: {name: t4-1}
status: {allocatable: {cpu: "8", memory: 32Gi, pods: "110", nvidia.com/gpu: "4"}}
"""
JOB = """\
apiVersion: batch/v1
kind: Job
metadata: {name: embed}
spec:
  template:
    spec:
      restartPolicy: Never
      nodeSelector:
        nvidia.com/gpu.product: PRODUCT
      containers:
      - {name: main, image: x, resources: {limits: {nvidia.com/gpu: 1}}}
"""
POD = """\
apiVersion: v1
kind: Pod
metadata: {name: embed}
spec:
  containers:
  - {name: main, image: x, resources: {limits: {nvidia.com/gpu: 99}}}
"""
TEMPLATED_TASK = """\
from flytekit import task, PodTemplate
from kubernetes.client import V1Container, V1PodSpec, V1ResourceRequirements

@task(pod_template=PodTemplate(pod_spec=V1PodSpec(containers=[V1Container(name="primary",
    resources=V1ResourceRequirements(limits={"nvidia.com/mig-1g.10gb": "1"}))])))
def train(): pass
"""
VALUES = "configuration: {inline: {plugins: {k8s: {gpu-device-node-label: nvidia.com/gpu.product}}}}\n"


class NearestName(Case):
    def setUp(self):
        super().setUp()
        self.write("nodes.yaml", NODES)

    def titles(self, *words):
        ran = self.run_gpulint("why", "--format", "json", *words)
        return [story["change"] and story["change"]["title"] for story in ran.json()["workloads"]]

    def require(self, product):
        self.write("job.yaml", JOB.replace("PRODUCT", product))
        return self.titles("nodes.yaml", "job.yaml")

    def test_a_part_of_a_name_means_the_name_although_nodes_have_several(self):
        for product in ("A100-SXM4-80GB", "NVIDIA-A100", "a100-sxm4-80gb", "A100"):
            self.assertEqual(self.require(product), ["require `nvidia.com/gpu.product=NVIDIA-A100-SXM4-80GB`"], product)
        for product in ("T4", "tesla-t4", "Telsa-T4"):
            self.assertEqual(self.require(product), ["require `nvidia.com/gpu.product=Tesla-T4`"], product)

    def test_fix_writes_the_name_of_which_a_part_is_there(self):
        self.write("job.yaml", JOB.replace("PRODUCT", "A100-SXM4-80GB"))
        self.run_gpulint("fix", "--unsafe-fixes", "nodes.yaml", "job.yaml")
        self.assertIn("nvidia.com/gpu.product: NVIDIA-A100-SXM4-80GB\n", self.read("job.yaml"))

    def test_two_names_with_the_part_are_not_guessed_at_by_fix(self):
        self.write("more.yaml", NODES.replace("name: ", "name: x-").replace("80GB", "40GB"))
        self.write("job.yaml", JOB.replace("PRODUCT", "A100-SXM4"))
        found = self.check_json("nodes.yaml", "more.yaml", "job.yaml").json()["diagnostics"]
        self.assertEqual([(one["id"], one["fix"]) for one in found], [("unmatched-node-selector", None)])

    # A30, A40, L40 and H20 are NVIDIA's, one letter away from other cards.
    def test_another_card_is_no_change(self):
        for product in ("NVIDIA-H100-80GB-HBM3", "NVIDIA-A30", "Tesla-P4", "NVIDIA-L4", "NVIDIA-GeForce-RTX-4090", "Tesla-T40"):
            self.assertEqual(self.require(product), [None], product)
            ran = self.run_gpulint("why", "nodes.yaml", "job.yaml")
            self.assertIn("No automatic change helps", ran.out)
            self.assertIn("`Tesla-T4`", ran.out)  # what the nodes have
            self.run_gpulint("fix", "--unsafe-fixes", "nodes.yaml", "job.yaml")
            self.assertIn(f": {product}\n", self.read("job.yaml"))

    def test_another_card_is_no_change_by_a_label_of_machines_either(self):
        self.write("nodes.yaml", NODES.replace("nvidia.com/gpu.product: N", "node.kubernetes.io/instance-type: p4de.24xlarge, n: N")
                   .replace("nvidia.com/gpu.product: T", "node.kubernetes.io/instance-type: g4dn.12xlarge, n: T"))
        for machine, change in (("p5.48xlarge", None), ("g5.12xlarge", None), ("g4dn.xlarge", "g4dn.12xlarge")):
            self.write("job.yaml", JOB.replace("nvidia.com/gpu.product: PRODUCT", f"node.kubernetes.io/instance-type: {machine}"))
            self.assertEqual(self.titles("nodes.yaml", "job.yaml"),
                             [change and f"require `node.kubernetes.io/instance-type={change}`"], machine)

    def test_another_size_and_a_shared_card_are_the_same_card(self):
        for has, product in (("NVIDIA-A100-SXM4-80GB", "NVIDIA-A100-SXM4-40GB"), ("Tesla-T4-SHARED", "Tesla-T4"),
                             ("Tesla-T4", "Tesla-T4-SHARED"), ("NVIDIA-L40S-SHARED", "NVIDIA-L40S")):
            self.write("nodes.yaml", NODES.replace("NVIDIA-A100-SXM4-80GB", has).replace("Tesla-T4}", f"{has}}}"))
            self.assertEqual(self.require(product), [f"require `nvidia.com/gpu.product={has}`"])

    def test_each_value_of_a_list_is_tried(self):
        self.write("job.yaml", JOB.replace("      nodeSelector:\n        nvidia.com/gpu.product: PRODUCT\n", """\
      affinity:
        nodeAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            nodeSelectorTerms:
            - matchExpressions:
              - {key: nvidia.com/gpu.product, operator: In, values: [NVIDIA-L4, Telsa-T4]}
"""))
        self.run_gpulint("why", "--fix", "nodes.yaml", "job.yaml")
        self.assertIn("values: [NVIDIA-L4, Tesla-T4]", self.read("job.yaml"))

    def test_less_is_what_would_do_it(self):
        self.write("job.yaml", JOB.replace("PRODUCT", "Tesla-T4").replace("gpu: 1}", "gpu: 99, memory: 64Gi}"))
        self.write("more.yaml", NODES.replace("name: ", "name: x-").replace('gpu: "4"', 'gpu: "2"'))
        story, = self.run_gpulint("why", "--format", "json", "more.yaml", "nodes.yaml", "job.yaml").json()["workloads"]
        self.assertIsNone(story["change"])
        self.assertEqual([way["title"] for way in story["ways"]], ["request at most 32Gi `memory` and at most 4 `nvidia.com/gpu` in one pod"])

    def test_a_selector_in_a_quoted_patch_is_changed_there(self):
        self.write("base/kustomization.yaml", "resources: [job.yaml]\n")
        self.write("base/job.yaml", JOB.replace("      nodeSelector:\n        nvidia.com/gpu.product: PRODUCT\n", ""))
        nested = "{spec: {template: {spec: {nodeSelector: {nvidia.com/gpu.product: T4}}}}}"
        strategic = f"{{apiVersion: batch/v1, kind: Job, metadata: {{name: embed}}, {nested[1:]}"
        for patch in ("""'[{"op": "add", "path": "/spec/template/spec/nodeSelector", "value": {"nvidia.com/gpu.product": "T4"}}]'""",
                      f'"{strategic}"', f">-\n    {strategic}"):
            text = f"resources: [../base]\npatches:\n- target: {{kind: Job}}\n  patch: {patch}\n"
            self.write("top/kustomization.yaml", text)
            self.assertEqual(self.run_gpulint("why", "--fix", "top", "nodes.yaml").status, 0, patch)
            self.assertEqual(self.read("top/kustomization.yaml"), text.replace("T4", "Tesla-T4"))

    def test_the_platform_of_an_image_is_left_alone(self):
        self.write("nodes.yaml", NODES.replace("{nvidia.com/gpu.product: N", "{kubernetes.io/arch: amd64, n: N")
                   .replace("{nvidia.com/gpu.product: T", "{kubernetes.io/arch: arm64, n: T"))
        self.write("job.yaml", JOB.replace("nvidia.com/gpu.product: PRODUCT", "kubernetes.io/arch: s390x"))
        self.assertEqual(self.titles("nodes.yaml", "job.yaml"), [None])

    def test_many_values_leave_trials_for_the_fixes_of_others(self):
        self.write("nodes.yaml", "---\n".join(NODES.replace("name: ", f"name: n{i}-").replace("product: ", f"product: p{i}-")
                                              for i in range(6)))
        self.write("jobs.yaml", "---\n".join(JOB.replace("embed", f"a{i}").replace("PRODUCT", "none").replace("gpu: 1}", "gpu: 99}")
                                             for i in range(30)))
        self.write("z.yaml", JOB.replace("PRODUCT", "p3-Telsa-T4"))
        self.assertEqual(self.titles("nodes.yaml", "jobs.yaml", "z.yaml")[-1], "require `nvidia.com/gpu.product=p3-Tesla-T4`")

    def test_a_task_names_another_size_of_the_same_card(self):
        self.write("nodes.yaml", MIG_NODES)
        self.write("values.yaml", VALUES)
        self.write("task.py", TEMPLATED_TASK)
        files = ("nodes.yaml", "values.yaml", "task.py")
        self.assertEqual(self.titles(*files), ["request `nvidia.com/mig-1g.5gb`"])
        finding, = [one for one in self.check_json(*files).json()["diagnostics"] if one["id"] == "resource-not-offered"]
        begin, end = (finding["range"][side]["offset"] for side in ("start", "end"))
        self.assertEqual(TEMPLATED_TASK[begin:end], '"nvidia.com/mig-1g.10gb"')
        self.run_gpulint("why", "--fix", *files)
        self.assertEqual(self.read("task.py"), TEMPLATED_TASK.replace("1g.10gb", "1g.5gb"))
        self.assertEqual(self.run_gpulint("why", *files).status, 0)

    def test_a_shared_card_of_a_task_is_one_way(self):
        self.write("nodes.yaml", NODES.replace("Tesla-T4", "Tesla-T4-SHARED"))
        self.write("values.yaml", VALUES)
        story, = self.run_gpulint("why", "--format", "json", "nodes.yaml", "values.yaml", "--task",
                                  "name=t,gpu=1,accelerator=T4").json()["workloads"]
        self.assertEqual([way["title"] for way in story["ways"]],
                         ["let the task request the device by its name on the nodes: `device=Tesla-T4-SHARED`"])

    def test_another_gpu_for_a_task_is_called_so(self):
        self.write("values.yaml", VALUES)
        self.write("task.py", "from flytekit import task, Resources\nfrom flytekit.extras.accelerators import H100\n"
                              "@task(requests=Resources(gpu=\"1\"), accelerator=H100)\ndef train(): pass\n")
        ran = self.run_gpulint("why", "nodes.yaml", "values.yaml", "task.py")
        self.assertIn("No automatic change helps: ", ran.out)
        self.assertIn("let the task request another GPU, that of dgx-1: `device=NVIDIA-A100-SXM4-80GB`", ran.out)


class OtherNames(Case):
    """Names that are near by chance mean something else."""

    def change(self, *words):
        story, = self.run_gpulint("why", "--format", "json", *words).json()["workloads"]
        return story["change"]

    def test_a_label_of_another_meaning_is_not_required_instead(self):
        node = NODES.split("---")[0]
        self.write("job.yaml", JOB.replace("nvidia.com/gpu.product: PRODUCT", 'nvidia.com/gpu: "true"'))
        self.write("nodes.yaml", node.replace("nvidia.com/gpu.product: NVIDIA-A100-SXM4-80GB", 'minikube.k8s.io/primary: "true"'))
        self.assertIsNone(self.change("nodes.yaml", "job.yaml"))
        self.write("nodes.yaml", node.replace("nvidia.com/gpu.product: NVIDIA-A100-SXM4-80GB", 'nvidia.com/gpu.present: "true"'))
        self.assertEqual(self.change("nodes.yaml", "job.yaml")["title"], "require `nvidia.com/gpu.present=true`")

    def test_the_device_is_kept_where_its_nodes_lack_an_amount_alone(self):
        self.write("nodes.yaml", NODES.replace('cpu: "8"', 'cpu: "64"', 1))
        self.write("job.yaml", JOB.replace("PRODUCT", "Tesla-T4").replace("limits: {", 'limits: {cpu: "32", '))
        self.assertIsNone(self.change("nodes.yaml", "job.yaml"))

    def test_the_selector_of_a_daemonset_is_not_emptied(self):
        self.write("nodes.yaml", NODES.split("---")[0].replace("nvidia.com/gpu.product: NVIDIA-A100-SXM4-80GB",
                                                               'nvidia.com/gpu.deploy.device-plugin: ""'))
        self.write("daemonset.yaml", """\
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: nvidia-device-plugin-daemonset, namespace: gpu-operator}
spec:
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {a: b}}
    spec:
      nodeSelector: {nvidia.com/gpu.deploy.device-plugin: "true"}
      containers: [{name: c, image: "nvcr.io/nvidia/k8s-device-plugin:v0.17.0"}]
""")
        self.assertIsNone(self.change("nodes.yaml", "daemonset.yaml"))


class TypedName(Case):
    def setUp(self):
        super().setUp()
        self.write("nodes.yaml", NODES)
        self.write("job.yaml", JOB.replace("PRODUCT", "Tesla-T4"))

    def told(self, *words):
        ran = self.run_gpulint("why", *words)
        return (ran.status, ran.out.split(":")[0], ran.trouble)

    def test_any_part_of_a_name_that_is_of_one_workload_will_do(self):
        for words in (["embed"], ["--workload", "embed"], ["--workload", "default/embed"], ["Job/embed"],
                      ["--workload", "Job/default/embed"]):
            self.assertEqual(self.told(*words, "nodes.yaml", "job.yaml"), (0, "Job/default/embed", ""), words)
        self.assertEqual(self.told("embed"), (0, "Job/default/embed", ""))

    def test_a_name_of_several_workloads_lists_them(self):
        self.write("pod.yaml", POD)
        ran = self.run_gpulint("why", "embed", "nodes.yaml", "job.yaml", "pod.yaml")
        self.assertEqual((ran.status, ran.out), (2, ""))
        self.assertIn("`embed` matches several workloads: Job/default/embed, Pod/default/embed;", ran.err)
        self.assertEqual(self.told("Job/embed", "nodes.yaml", "job.yaml", "pod.yaml")[1], "Job/default/embed")

    def test_a_task_is_named_as_it_is_printed(self):
        self.write("pod.yaml", POD.replace("embed", "train"))
        self.write("task.py", "from flytekit import task, Resources\n@task(requests=Resources(gpu=\"99\"))\ndef train(): pass\n")
        files = ("nodes.yaml", "pod.yaml", "task.py")
        for words in (["--task", "train"], ["--task=train"], ["--workload", "task train"], ["task train"]):
            self.assertEqual(self.told(*words, *files)[:2], (1, "task train"), words)
        self.assertIn("Pod/default/train, task train", self.run_gpulint("why", "train", *files).err)
        self.assertIn("did you mean `task train`?", self.run_gpulint("why", "--task", "tran", *files).err)

    def test_what_is_neither_a_file_nor_a_workload_is_refused(self):
        ran = self.run_gpulint("why", "embde", "nodes.yaml", "job.yaml")
        self.assertEqual((ran.status, ran.out), (2, ""))
        self.assertIn("`embde` is neither a file nor a workload; did you mean `Job/default/embed`?", ran.err)
        ran = self.run_gpulint("why", "jobs.yaml", "nodes.yaml")
        self.assertIn("jobs.yaml: No such file or directory", ran.err)

    def test_overlays_of_one_base_are_told_apart(self):
        (self.folder / "job.yaml").unlink()
        self.write("base/kustomization.yaml", "resources: [job.yaml]\n")
        self.write("base/job.yaml", JOB.replace("PRODUCT", "Tesla-T4"))
        for name, product in (("dev", "Tesla-T4"), ("prod", "none")):
            self.write(f"overlays/{name}/kustomization.yaml", f"""\
resources: [../../base]
patches:
- path: patch.yaml
""")
            self.write(f"overlays/{name}/patch.yaml", f"""\
apiVersion: batch/v1
kind: Job
metadata: {{name: embed}}
spec: {{template: {{spec: {{nodeSelector: {{nvidia.com/gpu.product: {product}}}}}}}}}
""")
        results = self.run_gpulint("place", "--format", "json", ".").json()["results"]
        self.assertEqual({result["workload"] for result in results},
                         {"Job/default/embed (overlays/dev)", "Job/default/embed (overlays/prod)"})


class Output(Case):
    def test_a_format_is_no_name_of_a_file(self):
        self.write("nodes.yaml", NODES)
        for command in ("check", "why", "place", "nodes", "compile", "fix", "rules"):
            paths = [] if command == "rules" else ["nodes.yaml"]
            ran = self.run_gpulint(command, *paths, "-o", "json")
            self.assertEqual((ran.status, ran.out), (2, ""), command)
            self.assertIn("did you mean `--format json`?", ran.err, command)
        self.assertFalse((self.folder / "json").exists())
        ran = self.run_gpulint("place", "nodes.yaml", "-o", "yaml")
        self.assertEqual((ran.status, ran.out), (2, ""), ran)
        self.assertIn("the formats of `--format` are text, json", ran.err)
        self.assertFalse((self.folder / "yaml").exists())
        self.run_gpulint("check", "-o", "./json", "nodes.yaml")
        self.assertTrue((self.folder / "json").exists())
        self.assertEqual(self.run_gpulint("check", "-o", "json", "nodes.yaml").status, 0)

    def test_a_run_that_prints_nothing_names_what_it_wrote(self):
        self.write("nodes.yaml", NODES)
        ran = self.check("--format", "html:report.html", "nodes.yaml")
        self.assertEqual(ran.out, "")
        self.assertIn("gpulint: wrote report.html\n", ran.err)
        self.assertNotIn("wrote", self.check("--format", "html:report.html", "--format", "text", "nodes.yaml").err)
        self.assertEqual(self.check("-q", "--format", "html:report.html", "nodes.yaml").err, "")

    def test_fix_says_that_it_fixed_nothing(self):
        self.write("nodes.yaml", NODES)
        self.write("job.yaml", JOB.replace("PRODUCT", "T4"))
        self.assertIn("fixed nothing\n", self.run_gpulint("fix", "nodes.yaml", "job.yaml").err)
        self.assertNotIn("fixed nothing", self.run_gpulint("fix", "nodes.yaml").err)

    @unittest.skipUnless(shutil.which("patch"), "no patch here")
    def test_a_diff_of_files_elsewhere_has_absolute_paths(self):
        (self.folder / "here").mkdir()
        self.write("nodes.yaml", NODES)
        self.write("sc/job.yaml", JOB.replace("PRODUCT", "T4"))
        words = ("fix", "--diff", "--unsafe-fixes")
        ran = self.run_gpulint(*words, "../sc/job.yaml", "../nodes.yaml", folder=self.folder / "here")
        subprocess.run(["patch", "-p1", "-s", "-d", "/"], input=ran.out, text=True, check=True)
        self.assertIn("Tesla-T4", self.read("sc/job.yaml"))

    def test_a_diff_in_a_work_tree_names_paths_from_its_top(self):
        self.write("repo/nodes.yaml", NODES)
        (self.folder / "repo/here").mkdir()
        os.symlink("repo/here", self.folder / "link")
        self.git("init", "-q", "repo")
        repo = self.folder / "repo"
        for folder, path in ((repo, "sc/job.yaml"), (repo / "here", "../sc/job.yaml"), (repo / "sc", "job.yaml"),
                             (repo / "here", repo / "sc/job.yaml"), (self.folder, "repo/sc/job.yaml"),
                             (self.folder / "link", "../sc/job.yaml")):
            self.write("repo/sc/job.yaml", JOB.replace("PRODUCT", "T4"))
            ran = self.run_gpulint("fix", "--diff", "--unsafe-fixes", path, repo / "nodes.yaml", folder=folder)
            self.assertTrue(ran.out.startswith("--- a/sc/job.yaml\n+++ b/sc/job.yaml\n"), ran)
            story, = self.run_gpulint("why", "--format", "json", path, repo / "nodes.yaml", folder=folder).json()["workloads"]
            self.assertEqual(story["change"]["diff"], ran.out)
            subprocess.run(["git", "apply"], input=ran.out, text=True, cwd=repo / "sc", check=True)
            self.assertIn("Tesla-T4", self.read("repo/sc/job.yaml"))


class Verdict(Case):
    def test_what_the_api_server_refuses_does_not_fit_in_the_table(self):
        self.write("nodes.yaml", NODES)
        self.write("pod.yaml", POD.replace("99", "1").replace("containers:\n", "containers:\n  - {name: main, image: y}\n"))
        ran = self.run_gpulint("place", "nodes.yaml", "pod.yaml")
        self.assertIn("Pod/default/embed  rejected", ran.out)
        self.assertNotIn("fits", ran.out)
        results = self.run_gpulint("place", "--format", "json", "nodes.yaml", "pod.yaml").json()["results"]
        self.assertEqual({result["valid"] for result in results}, {False})
        self.assertIn("rejected", self.check("--format", "html", "nodes.yaml", "pod.yaml").out)

    # Karpenter 1.6 pkg/apis/v1/labels.go: RestrictedLabels of the AWS provider.
    def test_a_label_that_karpenter_reserves_is_said_to_be_reserved(self):
        self.write("pool.yaml", """\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: gpu-l4}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: gpu}
      requirements:
      - {key: node.kubernetes.io/instance-type, operator: In, values: [g6.xlarge, g6.2xlarge]}
""")
        self.write("pod.yaml", POD.replace("99", "1") + "  nodeSelector: {karpenter.k8s.aws/ec2nodeclass: gpu}\n")
        ran = self.run_gpulint("why", "pool.yaml", "pod.yaml")
        self.assertIn("`karpenter.k8s.aws/ec2nodeclass` is reserved", ran.out)
        self.assertIn("+  nodeSelector: {karpenter.sh/nodepool: gpu-l4}", ran.out)
        self.assertIn("the label `karpenter.k8s.aws/ec2nodeclass` is reserved",
                      self.run_gpulint("place", "pool.yaml", "pod.yaml").out)


class Rank(Case):
    POOL = """\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: NAME}
spec:
  template:
    metadata: {labels: LABELS}
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: x}
      requirements:
      - {key: KEY, operator: In, values: VALUES}
"""

    def pool(self, name, labels, key, values):
        return (self.POOL.replace("NAME", name).replace("LABELS", labels).replace("KEY", key)
                .replace("VALUES", values))

    def test_a_pool_with_gpus_is_nearer_than_one_without_whatever_the_files_are_called(self):
        gpu = self.pool("gpu-l4", "{workload: inference}", "node.kubernetes.io/instance-type", "[g6.xlarge, g6.2xlarge]")
        plain = self.pool("general", "{team: a}", "karpenter.k8s.aws/instance-category", "[m, c]")
        self.write("pod.yaml", POD.replace("99", "2") + "  nodeSelector: {workload: inference}\n")
        for first, second in (("a.yaml", "b.yaml"), ("b.yaml", "a.yaml")):
            self.write(first, gpu)
            self.write(second, plain)
            story, = self.run_gpulint("why", "--format", "json", "a.yaml", "b.yaml", "pod.yaml").json()["workloads"]
            self.assertEqual(story["nearest"], "gpu-l4")
            self.assertIn("gpu-l4 has 1 in total", story["cannot"])


class Described(Case):
    """`kubectl describe pod`, as kubectl 1.34 prints it."""
    TEXT = """\
Name:             train-0
Namespace:        ml
Priority:         0
Service Account:  default
Node:             <none>
Labels:           app=train
Annotations:      <none>
Status:           Pending
IP:               
IPs:              <none>
Containers:
  main:
    Image:      train:1
    Port:       <none>
    Limits:
      cpu:             4
      nvidia.com/gpu:  1
    Requests:
      cpu:             4
      nvidia.com/gpu:  1
    Environment:       <none>
    Mounts:
      /var/run/secrets/kubernetes.io/serviceaccount from kube-api-access-x (ro)
Conditions:
  Type           Status
  PodScheduled   False 
QoS Class:                   Burstable
Node-Selectors:              pool=train
                             nvidia.com/gpu.product=Tesla-T4
Tolerations:                 node.kubernetes.io/not-ready:NoExecute op=Exists for 300s
                             sku=gpu:NoSchedule
Events:
  Type     Reason            Age   From               Message
  ----     ------            ----  ----               -------
  Warning  FailedScheduling  10s   default-scheduler  0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector.
"""

    def setUp(self):
        super().setUp()
        self.write("nodes.yaml", NODES.replace("kind: Node\n", "kind: Node\nspec: {taints: [{key: sku, value: gpu, effect: NoSchedule}]}\n"))
        self.write("describe.txt", self.TEXT)

    def test_the_text_is_read_as_the_pod_where_there_are_nodes(self):
        ran = self.run_gpulint("why", "nodes.yaml", "describe.txt")
        self.assertIn("Pod/ml/train-0: fits no node", ran.out)
        self.assertIn("needs `pool=train`, has no such label", ran.out)
        self.assertIn("required by describe.txt:28:30", ran.out)
        self.assertNotIn("sku", ran.out)
        self.assertIn("describe.txt: read as the pod", ran.err)

    def test_it_is_never_edited(self):
        self.run_gpulint("why", "--fix", "nodes.yaml", "describe.txt")
        self.assertEqual(self.read("describe.txt"), self.TEXT)

    def test_standard_input_is_read_once(self):
        ran = self.run_gpulint("why", "-", "describe.txt", stdin=self.read("nodes.yaml"))
        self.assertIn("needs `pool=train`", ran.out)
        ran = self.run_gpulint("why", "-", "nodes.yaml", stdin=self.TEXT)
        self.assertIn("needs `pool=train`", ran.out)

    def test_the_pod_of_the_files_counts_alone(self):
        for name, is_read in (("other", True), ("train-0", False), ("train", False)):
            self.write("pod.yaml", POD.replace("name: embed", f"name: {name}, namespace: ml"))
            for words in (["describe.txt"], ["--event", "describe.txt"]):
                ran = self.run_gpulint("why", *words, "nodes.yaml", "pod.yaml")
                self.assertEqual("read as the pod" in ran.err, is_read, name)
                self.assertEqual("Pod/ml/train-0: fits no node" in ran.out, name != "train", name)


class Event(Case):
    def test_a_label_keeps_its_own_value(self):
        self.write("nodes.yaml", """\
apiVersion: v1
kind: Node
metadata: {name: a100, labels: {accelerator: A100}}
status: {allocatable: {cpu: "8", memory: 32Gi, pods: "110", nvidia.com/gpu: "8"}}
---
apiVersion: v1
kind: Node
metadata: {name: t4, labels: {accelerator: T4}}
status: {allocatable: {cpu: "8", memory: 32Gi, pods: "110", nvidia.com/gpu: "8"}}
---
apiVersion: v1
kind: Node
metadata: {name: v100, labels: {accelerator: V100, size: small}}
status: {allocatable: {cpu: "8", memory: 32Gi, pods: "110", nvidia.com/gpu: "8"}}
""")
        self.write("pod.yaml", POD.replace("99", "1") + "  nodeSelector: {accelerator: A100, size: small}\n")
        ran = self.run_gpulint("why", "nodes.yaml", "pod.yaml", "--event",
                               "0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector.")
        claim = " ".join(ran.out.split("\n\n")[0].split())
        self.assertIn("`size=small` is required: a100 has none, t4 has none, v100 has `accelerator=V100`", claim)


class Growth(Case):
    def used(self, *words):
        """CPU seconds and MB of a run."""
        process = subprocess.Popen([GPULINT, *words, "-q", "--jobs", "1", "."], cwd=self.folder,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
        return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024

    def test_memory_is_not_that_of_all_pods_times_all_nodes(self):
        self.write("nodes.yaml", "---\n".join(
            f"apiVersion: v1\nkind: Node\nmetadata: {{name: n{i}}}\n"
            f"spec: {{taints: [{{key: nvidia.com/gpu, value: \"{i}\", effect: NoSchedule}}]}}\n"
            "status: {allocatable: {cpu: \"8\", nvidia.com/gpu: \"1\"}}\n" for i in range(400)))
        self.write("pods.yaml", "---\n".join(POD.replace("embed", f"p{i}") for i in range(800)))
        self.assertLess(self.used("why")[1], self.used("place")[1] + 60)

    def test_what_is_tried_for_one_task_is_known_for_all(self):
        self.write("nodes.yaml", NODES.replace("kind: Node\n", "kind: Node\nspec: {taints: [{key: nvidia.com/gpu, value: a, effect: NoSchedule}]}\n"))
        self.write("values.yaml", VALUES)
        self.write("tasks.py", "from flytekit import task, Resources\n" + "".join(
            f"@task(limits=Resources(gpu=\"{i % 30 + 9}\"))\ndef t{i}(): pass\n" for i in range(1_000)))
        self.assertLess(self.used("why")[0], 10 * self.used("check")[0] + 1)
