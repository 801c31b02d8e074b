"""Tasks: where they are declared, what they may say, and that every command reads them alike."""
import unittest

from support import GOOD_POD, SOURCE, Case

VALUES = "plugins: {k8s: {gpu-device-node-label: nvidia.com/gpu.product}}\n"
CPU_NODE = """\
apiVersion: v1
kind: Node
metadata: {name: cpu-1}
status: {allocatable: {cpu: "8", memory: 32Gi, pods: "110"}}
"""
GPU_NODE = """\
apiVersion: v1
kind: Node
metadata: {name: gpu-1, labels: {nvidia.com/gpu.product: NVIDIA-A100-SXM4-80GB}}
status: {allocatable: {cpu: "8", memory: 32Gi, nvidia.com/gpu: "1", pods: "110"}}
"""
COMMANDS = ("check", "compile", "place", "generate")


class TasksFile(Case):
    """`--tasks FILE` takes the keys of `--task` and of gpulint.yaml."""

    def setUp(self):
        super().setUp()
        self.write("values.yaml", VALUES)
        self.write("nodes.yaml", CPU_NODE + "---\n" + GPU_NODE)

    def compiled(self, *words):
        ran = self.run_gpulint("compile", "values.yaml", "--format", "json", *words)
        self.assertEqual(ran.status, 0, ran)
        return [pod["spec"] for pod in ran.json()["pods"]]

    def test_a_folder_of_nodes_is_enough(self):
        (self.folder / "values.yaml").unlink()
        for path in (".", "nodes.yaml"):
            self.assertIn("request-exceeds-node", self.check_json("--task", "name=a,gpu=16", path).ids())
            self.assertIn("Insufficient nvidia.com/gpu", self.run_gpulint("place", "--task", "name=a,gpu=16", path).out)

    def test_a_key_means_the_same_wherever_it_stands(self):
        spec = "name=a,gpu=1,cpu=3,memory=4Gi,ephemeral-storage=1Gi,device=T,partition=1g.5gb,interruptible,plugin=dask"
        entry = ("{name: a, gpu: 1, cpu: 3, memory: 4Gi, ephemeral-storage: 1Gi, device: T, partition: 1g.5gb, "
                 "interruptible: true, plugin: dask}")
        self.write("list.yaml", f"- {entry}\n")
        self.write("wrapped.yaml", f"tasks: [{entry}]\n")
        self.write("texts.yaml", f"- {spec}\n")
        self.write("split.yaml", "- {name: a, requests: {gpu: 1, cpu: 3, memory: 4Gi, ephemeral-storage: 1Gi}, "
                                 "accelerator: {device: T, partitionSize: 1g.5gb}, interruptible: true, plugin: dask}\n")
        wanted = self.compiled("--task", spec)
        self.assertEqual(wanted[0]["containers"][0]["resources"]["limits"]["nvidia.com/gpu"], "1")
        for name in ("list", "wrapped", "texts", "split"):
            self.assertEqual(self.compiled("--tasks", f"{name}.yaml"), wanted, name)
        self.write("gpulint.yaml", f"tasks: [{entry}]\n")
        self.assertEqual(self.compiled(), wanted)

    def test_a_gpu_task_of_a_file_does_not_fit_nodes_without_gpus(self):
        self.write("nodes.yaml", CPU_NODE)
        self.write("tasks.yaml", "- {name: a, gpu: 1}\n")
        ran = self.run_gpulint("place", "values.yaml", "nodes.yaml", "--tasks", "tasks.yaml")
        self.assertEqual(ran.status, 1)
        self.assertIn("Insufficient nvidia.com/gpu", ran.out)

    def test_what_no_task_has_is_said_by_every_command(self):
        self.write("tasks.yaml", "- {name: a, gpus: 1}\n")
        for command in COMMANDS[1:]:
            ran = self.run_gpulint(command, "values.yaml", "nodes.yaml", "--tasks", "tasks.yaml")
            self.assertEqual(ran.status, 2, ran)
            self.assertIn("gpulint: tasks.yaml:1:13: unknown key `gpus`; did you mean `gpu`?\n", ran.err)
        ran = self.check_json("values.yaml", "nodes.yaml", "--tasks", "tasks.yaml")
        self.assertIn("unknown-config-key", ran.ids())
        self.assertEqual(ran.status, 1)

    def test_unknown_keys_of_the_configuration_stop_other_commands_likewise(self):
        self.write("gpulint.yaml", "tasks:\n- {name: a, gpus: 1}\n")
        for command in COMMANDS[1:]:
            ran = self.run_gpulint(command, "values.yaml", "nodes.yaml")
            self.assertEqual(ran.status, 2, ran)
            self.assertIn("gpulint.yaml:2:13: unknown key `gpus`; did you mean `gpu`?", ran.err)

    def test_a_file_that_holds_no_list_is_refused(self):
        for text in ("{name: a, gpu: 1}\n", "tasks: {name: a}\n", "train\n", "\n# nothing\n"):
            self.write("tasks.yaml", text)
            for command in COMMANDS:
                ran = self.run_gpulint(command, "values.yaml", "nodes.yaml", "--tasks", "tasks.yaml")
                self.assertEqual(ran.status, 2, (text, ran))
                self.assertIn("tasks.yaml: expected a list of tasks, or a mapping with the list `tasks`", ran.err)

    def test_a_name_is_read_as_written(self):
        self.write("gpulint.yaml", "tasks:\n- {name: y, gpu: 1}\n- {name: 010, gpu: 1}\n")
        ran = self.run_gpulint("compile", "values.yaml", "--format", "json")
        self.assertEqual([pod["task"] for pod in ran.json()["pods"]], ["y", "010"])


class UnknownResource(Case):
    """A task's container can request what flyteidl has names for, and nothing else."""

    def setUp(self):
        super().setUp()
        self.write("values.yaml", VALUES)
        self.write("nodes.yaml", CPU_NODE)

    def test_on_the_command_line_it_ends_the_run(self):
        for resource, said in (("nvidia.com/mig-1g.5gb", "request `gpu`, and select the partition with"),
                               ("nvidia.com/gpu", "did you mean `gpu`?"), ("mem", "did you mean `memory`?"),
                               ("limits.rdma/hca", "use one of `gpu`, `cpu`, `memory`, `ephemeral-storage`")):
            for command in COMMANDS:
                ran = self.run_gpulint(command, "values.yaml", "nodes.yaml", "--task", f"name=a,{resource}=1")
                self.assertEqual(ran.status, 2, ran)
                self.assertIn(f"unknown key `{resource}`; ", ran.err)
                self.assertIn(said, ran.err)

    def test_a_pod_template_may_name_any(self):
        ran = self.run_gpulint("compile", "values.yaml", "--task", "name=a,rdma/hca=1,target=k8s_pod")
        self.assertEqual(ran.status, 0, ran)
        self.assertIn('rdma/hca: "1"', ran.out)


class UnknownPlugin(Case):
    def setUp(self):
        super().setUp()
        self.write("values.yaml", VALUES)
        self.write("nodes.yaml", GPU_NODE)

    SAID = "unknown plugin `pytorch`; it must be one of container, ray, spark, dask, kubeflow"

    def test_on_the_command_line_it_ends_the_run(self):
        for command in COMMANDS:
            ran = self.run_gpulint(command, "values.yaml", "nodes.yaml", "--task", "name=t,gpu=1,plugin=pytorch")
            self.assertEqual(ran.status, 2, ran)
            self.assertIn(self.SAID, ran.err)

    def test_in_a_file_every_command_refuses_the_task(self):
        self.write("tasks.yaml", "- {name: t, gpu: 1, plugin: pytorch}\n")
        for command in COMMANDS:
            ran = self.run_gpulint(command, "values.yaml", "nodes.yaml", "--tasks", "tasks.yaml")
            self.assertEqual(ran.status, 1, ran)
            self.assertIn(self.SAID, ran.out)


class Defaults(Case):
    """Without a word of Flyte's among the inputs, tasks run under Flyte's defaults."""

    def setUp(self):
        super().setUp()
        self.write("nodes.yaml", GPU_NODE)

    def test_place_and_check_hold_the_task_against_the_nodes(self):
        ran = self.run_gpulint("place", "nodes.yaml", "--task", "name=t,gpu=1")
        self.assertEqual(ran.status, 0, ran)
        self.assertIn("Pod/default/t  fits", ran.out)
        self.assertIn("tasks are placed with Flyte's defaults", ran.err)
        self.assertEqual(self.run_gpulint("place", "nodes.yaml", "--task", "name=t,gpu=9").status, 1)
        ran = self.check_json("nodes.yaml", "--task", "name=t,gpu=9")
        self.assertEqual(ran.ids(), ["request-exceeds-node"])
        self.assertEqual(ran.status, 1)

    def test_values_anywhere_among_the_inputs_count(self):
        self.write("flyte/values.yaml", "plugins: {k8s: {gpu-device-node-label: nvidia.com/gpu.product}}\n")
        self.assertEqual(self.check_json("--no-join", ".", "--task", "name=t,gpu=9").ids(), [])
        ran = self.check_json(".", "--task", "name=t,gpu=9")  # compiled with them, and the nodes are near
        self.assertEqual(ran.ids(), ["request-exceeds-node"])
        self.assertNotIn("defaults", ran.err)

    def test_no_tasks_no_defaults(self):
        self.assertEqual(self.check_json("nodes.yaml").ids(), [])


class AssumedTasks(Case):
    """Tasks that gpulint names itself, where none is declared."""

    def setUp(self):
        super().setUp()
        self.write("values.yaml", VALUES)

    def test_the_showcase_ends_with_a_place_for_all(self):
        for name in ("values.yaml", "nodes.yaml", "job.yaml"):
            self.write(name, (SOURCE / "testdata/showcase" / name).read_text())
        names = ("values.yaml", "nodes.yaml", "job.yaml")
        self.assertEqual(self.run_gpulint("fix", "--unsafe-fixes", *names).status, 0)
        ran = self.run_gpulint("place", *names)
        self.assertEqual(ran.status, 0, ran)
        self.assertNotIn("refused", ran.out)
        self.assertIn("Pod/default/assumed-nvidia-a100-sxm4-80gb", ran.out)

    def test_a_finding_about_them_says_so_and_is_a_warning(self):
        tainted = GPU_NODE.replace("status:", "spec: {taints: [{key: sku, value: gpu, effect: NoSchedule}]}\nstatus:")
        self.write("nodes.yaml", tainted)
        findings = self.check_json("values.yaml", "nodes.yaml").json()["diagnostics"]
        self.assertEqual([(f["id"], f["severity"]) for f in findings], [("untolerated-taint", "warning")])
        self.assertIn("No task is declared, so gpulint checked the assumed tasks `assumed-gpu`, "
                      "`assumed-nvidia-a100-sxm4-80gb`", findings[0]["help"])
        findings = self.check_json("values.yaml", "nodes.yaml", "--task", "name=t,gpu=1").json()["diagnostics"]
        self.assertEqual([(f["id"], f["severity"]) for f in findings], [("untolerated-taint", "error")])
        self.assertNotIn("assumed", findings[0]["help"])

    def test_what_a_task_is_called_is_no_pods_name(self):
        self.write("nodes.yaml", GPU_NODE)
        ran = self.run_gpulint("place", "values.yaml", "nodes.yaml", "--task", "name=my_pkg.Train,gpu=1")
        self.assertEqual(ran.status, 0, ran)

    def test_one_task_is_a_question_about_that_task(self):
        self.write("nodes.yaml", GPU_NODE + "---\n" + GPU_NODE.replace("gpu-1", "gpu-2").replace("A100", "H100"))
        self.assertEqual(self.check_json("values.yaml", "nodes.yaml", "--task",
                                         "name=t,gpu=1,device=NVIDIA-A100-SXM4-80GB").ids(), [])
        self.write("tasks.yaml", "- {name: t, gpu: 1, device: NVIDIA-A100-SXM4-80GB}\n")
        self.assertEqual(self.check_json("--preview", "values.yaml", "nodes.yaml", "--tasks", "tasks.yaml").ids(), ["idle-gpu-nodes"])

    def test_declared_pools_have_them_too(self):
        self.write("pools.yaml", """\
apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata: {name: ml, region: us-east-2}
managedNodeGroups:
- {name: gpus, instanceType: g4dn.xlarge}
""")
        ran = self.run_gpulint("place", "pools.yaml", "values.yaml")
        self.assertIn("Pod/default/assumed-gpu", ran.out)
        self.assertEqual(ran.status, 0, ran)  # a g4dn.xlarge has one T4


class OpenVerdicts(Case):
    def test_a_workload_that_fits_nothing_for_certain_fails(self):
        self.write("pool.yaml", "apiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig\nmetadata: {name: a, region: b}\n"
                                "managedNodeGroups:\n- {name: gpus, instanceType: g99.xlarge}\n")  # in no table
        self.write("pod.yaml", GOOD_POD)
        ran = self.run_gpulint("place", "pool.yaml", "pod.yaml")
        self.assertIn("unknown", ran.out)
        self.assertEqual(ran.status, 1)
        self.write("node.yaml", GPU_NODE)
        self.assertEqual(self.run_gpulint("place", "pool.yaml", "node.yaml", "pod.yaml").status, 0)


if __name__ == "__main__":
    unittest.main()
