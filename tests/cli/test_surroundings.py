"""A folder of a repository is checked with what the repository has for it (docs/explanation/scopes.md)."""
import shutil
import unittest

from support import GOOD_POD, SOURCE, Case

NODE = """\
apiVersion: v1
kind: Node
metadata: {name: gpu-1, labels: {pool: train}}
spec: {taints: [{key: sku, value: gpu, effect: NoSchedule}]}
status: {allocatable: {cpu: "8", memory: 32Gi, nvidia.com/gpu: "1", pods: "110"}}
"""
DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: infer}
spec:
  selector: {matchLabels: {app: infer}}
  template:
    metadata: {labels: {app: infer}}
    spec:
      containers: [{name: main, image: x, resources: {limits: {nvidia.com/gpu: 1}}}]
"""
SELECTOR = """\
resources: [../../base]
patches:
- target: {kind: Deployment}
  patch: '[{"op": "add", "path": "/spec/template/spec/nodeSelector", "value": {"pool": "nope"}}]'
"""
QUOTA = """\
apiVersion: v1
kind: ResourceQuota
metadata: {name: team}
spec: {hard: {limits.ephemeral-storage: 1Ti, limits.cpu: "64"}}
"""
VALUES = "configuration: {inline: {plugins: {k8s: {gpu-resource-name: nvidia.com/gpu}}}}\n"
TASK = "from flytekit import Resources, task\n\n\n@task(requests=Resources(gpu='1'))\ndef train(): ...\n"
CLUSTER = """\
apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata: {name: NAME, region: REGION}
managedNodeGroups:
- {name: GROUP, instanceType: p4d.24xlarge, labels: {pool: GROUP}}
"""
FLUX = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps}
spec:
  path: ./apps
  postBuild:
    substituteFrom: [FROM]
"""
SELECTING = GOOD_POD.replace("spec:\n", "spec:\n  nodeSelector: {pool: nope}\n", 1)


class Repository(Case):
    def setUp(self):
        super().setUp()
        self.write(".git/HEAD", "ref: refs/heads/main\n")

    def found(self, *words, folder=None):
        ran = self.check_json(*words, folder=folder and self.folder / folder)
        return sorted((f["id"], f["file"]) for f in ran.json()["diagnostics"])


class Folders(Repository):
    def test_a_folder_uses_the_nodes_of_its_repository(self):
        self.write("infra/nodes/gpu.yaml", NODE)
        self.write("teams/nlp/app.yaml", SELECTING)
        self.write("teams/search/app.yaml", SELECTING)
        told = [(rule, "teams/nlp/app.yaml") for rule in ("unmatched-node-selector", "untolerated-taint")]
        self.assertEqual(self.found("teams/nlp"), told)
        self.assertEqual(self.found(self.folder / "teams/nlp"), [(rule, str(self.folder / file)) for rule, file in told])
        for words in ((), (".",)):
            self.assertEqual(self.found(*words, folder="teams/nlp"), [(rule, "app.yaml") for rule, _ in told])
        self.assertEqual(self.found("--no-join", "teams/nlp"), [])
        self.write("gpulint.yaml", "join: none\n")
        self.assertEqual(self.found("teams/nlp"), [])

    def test_what_is_read_for_comparison_is_not_counted(self):
        self.write("infra/nodes/gpu.yaml", NODE)
        self.write("infra/broken.yaml", GOOD_POD.replace('1}', '0.5}'))
        self.write("teams/nlp/app.yaml", SELECTING)
        ran = self.check_json("teams/nlp").json()
        self.assertEqual((ran["summary"]["files"], ran["read"]["nodes"], ran["read"]["workloads"]), (1, 1, 1))

    def test_workloads_around_a_folder_are_not_reported(self):
        self.write("eks/nodes.yaml", NODE)
        self.write("gpu-burn/app.yaml", SELECTING)
        self.assertEqual(self.found("eks"), [])
        self.assertIn(("untolerated-taint", "gpu-burn/app.yaml"), self.found("--in-tree", "eks/nodes.yaml"))

    def test_other_commands_use_them_too(self):
        self.write("infra/nodes/gpu.yaml", NODE)
        self.write("infra/nodes/monitor.yaml", GOOD_POD.replace("train", "monitor"))
        self.write("teams/nlp/app.yaml", GOOD_POD)
        here = self.folder / "teams/nlp"
        self.assertIn("had untolerated taint {sku: gpu}", self.run_gpulint("place", folder=here).out)
        for command in ("place", "why"):
            self.assertNotIn("monitor", self.run_gpulint(command, folder=here).out)
        self.assertIn("../../infra/nodes/gpu.yaml", self.run_gpulint("nodes", ".", folder=here).out)

    def test_a_link_to_a_folder_is_that_folder(self):
        self.write("infra/nodes/gpu.yaml", NODE)
        self.write("teams/nlp/app.yaml", SELECTING)
        (self.folder / "here").symlink_to("teams/nlp")
        self.assertIn(("untolerated-taint", "here/app.yaml"), self.found("here"))

    def test_fix_leaves_what_was_not_named_alone(self):
        self.write("base/deployment.yaml", DEPLOYMENT.replace("limits:", "requests:"))
        self.write("base/kustomization.yaml", "resources: [deployment.yaml]\n")
        self.write("overlays/prod/kustomization.yaml", "resources: [../../base]\n")
        before = self.read("base/deployment.yaml")
        self.assertIn(("gpu-limit-missing", "base/deployment.yaml"), self.found("overlays/prod"))
        self.run_gpulint("fix", "--unsafe-fixes", "overlays/prod")
        self.assertEqual(self.read("base/deployment.yaml"), before)
        self.assertIn("dd an equal limit for `nvidia.com/gpu`. `gpulint fix` edits base/deployment.yaml only if you name the file",
                      self.run_gpulint("check", "overlays/prod").out)
        self.run_gpulint("fix", "overlays/prod", "base/deployment.yaml")
        self.assertNotEqual(self.read("base/deployment.yaml"), before)

    def test_objects_are_looked_for_too(self):
        self.write("quotas/team.yaml", QUOTA)
        self.write("apps/train/app.yaml", GOOD_POD)
        self.assertEqual(self.found("apps/train"), [("exceeds-quota", "apps/train/app.yaml")])

    def test_alternatives_and_other_clusters_stay_apart(self):
        self.write("nodes.yaml", NODE)
        self.write("examples/mig/app.yaml", SELECTING)
        self.assertEqual(self.found("examples/mig"), [])
        self.write("clusters/a/nodes.yaml", NODE)
        self.write("clusters/b/app.yaml", SELECTING)
        self.assertEqual(self.found("clusters/b"), [])
        self.write("clusters/a/app.yaml", SELECTING)
        self.assertIn(("untolerated-taint", "clusters/a/app.yaml"), self.found("clusters/a"))

    def test_a_project_with_a_configuration_ends_there(self):
        self.write("projects/eks/nodes.yaml", NODE)
        self.write("projects/eks/values.yaml", VALUES)
        self.write("projects/mine/gpulint.yaml", "tasks: [{name: train, requests: {gpu: '9'}}]\n")
        self.write("projects/mine/app.yaml", SELECTING)
        self.write("projects/mine/sub/app.yaml", SELECTING)
        for folder in ("projects/mine", "projects/mine/sub"):
            self.assertEqual(self.found(folder), [])
        self.write("projects/mine/nodes/gpu.yaml", NODE)
        self.assertIn(("untolerated-taint", "projects/mine/sub/app.yaml"), self.found("projects/mine/sub"))

    def test_python_finds_its_release(self):
        self.write("flyte/values.yaml", VALUES)
        self.write("workflows/train.py", TASK)
        self.assertEqual(self.check_json("workflows").json()["read"]["releases"], 1)

    def test_a_file_alone_is_read_alone(self):
        self.write("infra/nodes/gpu.yaml", NODE)
        self.write("teams/nlp/app.yaml", SELECTING)
        self.assertEqual(self.found("teams/nlp/app.yaml"), [])

    def test_named_nodes_serve_a_named_folder(self):
        self.write("here/gpu.yaml", NODE)
        self.write("teams/nlp/app.yaml", SELECTING)
        self.assertIn(("untolerated-taint", "teams/nlp/app.yaml"), self.found("teams/nlp", "here/gpu.yaml"))
        self.assertEqual(self.found("teams/nlp", "here/gpu.yaml"), self.found("teams/nlp", "--nodes", "here/gpu.yaml"))

    def test_in_tree_looks_up_to_the_top(self):
        self.write("infra/nodes/gpu.yaml", NODE)
        self.write("teams/nlp/app.yaml", SELECTING)
        self.assertIn(("untolerated-taint", "app.yaml"), self.found("--in-tree", "app.yaml", folder="teams/nlp"))

    def test_many_files_of_a_hook_are_not_one_cluster(self):
        names = []
        for i in range(100):
            self.write(f"team-{i}/quota.yaml", QUOTA)
            self.write(f"app-{i}/app.yaml", GOOD_POD)
            names += [f"team-{i}/quota.yaml", f"app-{i}/app.yaml"]
        self.assertEqual(self.found("--in-tree", *names), self.found("."))
        self.assertEqual(self.found("--in-tree", *names), [])


class Law(Case):
    """`check DIR` reports what `check .` reports about the files of DIR, and nothing else."""

    def hold(self, root):
        (root / ".git").mkdir(exist_ok=True)
        (root / ".git/HEAD").write_text("ref: refs/heads/main\n")
        named = lambda ran: sorted((f["file"], f["id"], f["severity"], f["range"]["start"]["offset"], f["message"]) for f in ran.json()["diagnostics"])
        everywhere = named(self.check_json("--no-config", ".", folder=root))
        folders = {parent for path in root.rglob("*") if path.suffix in (".yaml", ".yml", ".json", ".py")
                   for parent in path.relative_to(root).parents if parent.name and ".git" not in parent.parts}
        for folder in sorted(folders):
            with self.subTest(folder):
                found = [f for f in named(self.check_json("--no-config", folder, folder=root)) if f[0].startswith(f"{folder}/")]
                self.assertEqual(found, [f for f in everywhere if f[0].startswith(f"{folder}/")])
        return everywhere

    def test_of_projects_and_incidents(self):
        for name in ("projects", "incidents"):
            shutil.copytree(SOURCE / "testdata" / name, self.folder / name)
            self.hold(self.folder / name)

    def test_of_a_collection_of_clusters(self):
        self.write("root/eks/deployment/karpenter/pool.yaml", NODE)
        self.write("root/eks/deployment/app/pod.yaml", SELECTING)
        self.assertIn("root/eks/deployment/app/pod.yaml", [f[0] for f in self.hold(self.folder)])
        for name in ("g5", "p5"):
            self.write(f"wd/conf/eksctl/yaml/eks-{name}.yaml", CLUSTER.replace("NAME", name).replace("GROUP", name))
        self.assertEqual(self.hold(self.folder), [])
        self.write("wd/conf/eksctl/yaml/app.yaml", GOOD_POD.replace("train", "one"))  # one of several clusters
        self.assertIn("root/eks/deployment/app/pod.yaml", [f[0] for f in self.hold(self.folder)])


    def test_of_bases_whose_overlays_are_elsewhere(self):
        self.write("nodes.yaml", NODE)
        self.write("apps/infer/base/deployment.yaml", DEPLOYMENT)
        self.write("apps/infer/base/kustomization.yaml", "resources: [deployment.yaml]\n")
        self.write("apps/other/app.yaml", SELECTING)
        self.assertIn("untolerated-taint", [f[1] for f in self.hold(self.folder) if "infer" in f[0]])
        self.write("clusters/a/kustomization.yaml", "resources: [../../middle]\n" + SELECTOR.split("\n", 1)[1]
                   .replace("nodeSelector", "tolerations").replace('{"pool": "nope"}', '[{"key": "sku", "operator": "Exists"}]'))
        self.write("middle/kustomization.yaml", "resources: [../apps/infer/base]\n")
        self.assertNotIn("untolerated-taint", [f[1] for f in self.hold(self.folder) if "infer" in f[0]])

    def test_of_variables_that_are_set_elsewhere(self):
        self.write("nodes.yaml", NODE)
        self.write("apps/train/app.yaml", GOOD_POD.replace("nvidia.com/gpu: 1", "nvidia.com/gpu: ${GPUS:=1}"))
        few = len(self.hold(self.folder))
        self.write("clusters/a/apps.yaml", FLUX.replace("FROM", "{kind: ConfigMap, name: sizes}"))
        self.write("shared/sizes.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: sizes}\ndata: {GPUS: '9'}\n")
        self.assertEqual(len(self.hold(self.folder)), few + 1)  # the node has one


class NamedFiles(Repository):
    """A file named next to a folder belongs together with the folder's nodes."""

    def test_it_is_compared_with_the_nodes_of_the_folder(self):
        self.write("apps/a.yaml", SELECTING)
        self.write("infra/nodes/gpu.yaml", NODE)
        told = [("unmatched-node-selector", "apps/a.yaml"), ("untolerated-taint", "apps/a.yaml")]
        self.assertEqual(self.found("apps/a.yaml", "infra/nodes"), told)
        self.assertEqual(self.found("apps/a.yaml", "infra/nodes", "--no-join"), [])
        self.assertIn("had untolerated taint {sku: gpu}", self.run_gpulint("place", "apps/a.yaml", "infra/nodes").out)
        self.assertIn("sku", self.run_gpulint("why", "infra/nodes", "apps/a.yaml").out)
        (self.folder / "new").mkdir()
        self.write("new/pod.txt", SELECTING)
        self.assertEqual(self.found(".", "new/pod.txt"), sorted(told + [(rule, "new/pod.txt") for rule, _ in told]))
        self.assertEqual(self.found("apps", "new/pod.txt"), self.found(".", "new/pod.txt"))

    def test_nodes_of_several_clusters_serve_nothing(self):
        self.write("new/pod.txt", SELECTING)
        for name in ("a", "b"):
            self.write(f"clusters/{name}/nodes.yaml", NODE.replace("gpu-1", name))
        self.assertEqual(self.found("clusters", "new/pod.txt"), [])
        self.assertIn("several clusters: a, b", self.check("clusters", "new/pod.txt").err)
        self.assertNotEqual(self.found("clusters/a", "new/pod.txt"), [])

    def test_it_gets_the_objects_that_it_needs(self):
        self.write("apps/a.yaml", GOOD_POD)
        self.write("infra/quota.yaml", QUOTA)
        self.assertEqual(self.found("apps/a.yaml", "infra"), [("exceeds-quota", "apps/a.yaml")])


class NoRepository(Case):
    def test_nothing_outside_the_folder_is_read(self):
        self.write("infra/nodes/gpu.yaml", NODE)
        self.write("teams/nlp/app.yaml", SELECTING)
        self.assertEqual(self.check_json("teams/nlp").ids(), [])
        self.assertEqual(self.check_json(folder=self.folder / "teams/nlp").ids(), [])


class Kustomizations(Repository):
    def write_overlay(self):
        self.write("nodes.yaml", NODE)
        self.write("base/deployment.yaml", DEPLOYMENT)
        self.write("base/kustomization.yaml", "resources: [deployment.yaml]\n")
        self.write("overlays/prod/kustomization.yaml", SELECTOR)

    def test_references_are_followed(self):
        self.write_overlay()
        told = [("unmatched-node-selector", "overlays/prod/kustomization.yaml"), ("untolerated-taint", "base/deployment.yaml")]
        self.assertEqual(sorted(self.found("overlays/prod")), sorted(told))
        self.assertEqual(sorted(rule for rule, _ in self.found("overlays/prod", "nodes.yaml")), sorted(rule for rule, _ in told))
        self.assertEqual(self.found("--no-join", "overlays/prod"), [])

    def test_without_a_repository_references_are_followed_in_the_current_folder(self):
        self.write_overlay()
        (self.folder / ".git/HEAD").unlink()
        (self.folder / ".git").rmdir()
        self.assertEqual(sorted(rule for rule, _ in self.found("overlays/prod", "nodes.yaml")), ["unmatched-node-selector", "untolerated-taint"])
        ran = self.check_json("../../nodes.yaml", ".", folder=self.folder / "overlays/prod")
        self.assertEqual((ran.status, ran.ids()), (0, []))
        self.assertIn("../../base/kustomization.yaml: named by a kustomization, but outside of the current folder", ran.err)
        words = ("--allow-outside", "../../nodes.yaml", ".")
        ran = self.check_json(*words, folder=self.folder / "overlays/prod")
        self.assertEqual(sorted(ran.ids()), ["unmatched-node-selector", "untolerated-taint"])
        self.assertNotIn("outside", ran.err)

    def test_components_and_bases_are_followed(self):
        self.write_overlay()
        for key in ("components", "bases"):
            self.write("parts/gpu/kustomization.yaml", SELECTOR.replace("resources: [../../base]\n", "")
                       if key == "components" else SELECTOR)
            self.write("overlays/dev/kustomization.yaml",
                       f"{key}: [../../parts/gpu]\n" + ("resources: [../../base]\n" if key == "components" else ""))
            self.assertIn(("unmatched-node-selector", "parts/gpu/kustomization.yaml"), self.found("overlays/dev"), key)

    def test_nothing_outside_the_repository_is_read(self):
        self.write("out/base/deployment.yaml", DEPLOYMENT.replace('"1"', '"0.5"'))
        self.write("out/base/kustomization.yaml", "resources: [deployment.yaml]\n")
        self.write("repo/.git/HEAD", "")
        self.write("repo/overlays/prod/kustomization.yaml", SELECTOR.replace("../../base", "../../../out/base"))
        (self.folder / "repo/linked").symlink_to("../out/base")
        self.write("repo/overlays/dev/kustomization.yaml", SELECTOR.replace("../../base", "../../linked"))
        for name in ("prod", "dev"):
            ran = self.check_json("-v", f"repo/overlays/{name}")
            self.assertEqual(ran.json()["summary"]["files"], 1, name)
            self.assertNotIn("deployment.yaml", ran.err)
            self.assertEqual(ran.err.count("(--allow-outside permits it)"), 1, ran.err)


    def test_what_builds_a_folder_is_the_same_from_inside(self):
        self.write("base/app.yaml", DEPLOYMENT.replace("nvidia.com/gpu: 1", 'nvidia.com/gpu: "${GPUS:=1}"').replace(
            "limits: {", 'requests: {nvidia.com/gpu: "1"}, limits: {').replace("spec:\n", "spec:\n  strategy: {type: Recreate}\n", 1))
        self.write("base/kustomization.yaml", "resources: [app.yaml]\n")
        self.write("apps/kustomization.yaml", "resources: [../base]\n")
        self.write("flux.yaml", FLUX.replace("substituteFrom: [FROM]", "substitute: {GPUS: '2'}"))
        self.assertEqual(self.found("base"), [("gpu-limit-missing", "base/app.yaml")])
        self.assertEqual(self.found(".", folder="base"), [("gpu-limit-missing", "app.yaml")])
        # So are patches of an overlay.
        self.write("nodes.yaml", NODE)
        self.write("flux.yaml", "")
        self.assertEqual(self.found(".", folder="base"), [("untolerated-taint", "app.yaml")])
        self.write("apps/kustomization.yaml", SELECTOR.replace("../../base", "../base").replace(
            '"/spec/template/spec/nodeSelector", "value": {"pool": "nope"}', '"/spec/template/spec/tolerations", "value": [{"operator": "Exists"}]'))
        self.assertEqual(self.found("base"), [])
        self.assertEqual(self.found(".", folder="base"), [])


class Projects(Case):
    """Nodes of one project say nothing about another one."""

    def cluster(self, name, group="a100", region="us-east-1"):
        return CLUSTER.replace("NAME", name).replace("GROUP", group).replace("REGION", region)

    def found(self):
        return [f["id"] for f in self.check_json(".").json()["diagnostics"]]

    def test_a_project_beside_another_one_keeps_its_nodes(self):
        self.write("eks-multinode-triton/cluster.yaml", self.cluster("triton"))
        self.write("load-balancing/app.yaml", SELECTING)
        self.assertIn("unmatched-node-selector", self.found())
        self.write("eks-multinode-triton/chart/app.yaml", GOOD_POD)
        self.assertNotIn("unmatched-node-selector", self.found())
        self.assertIn("the folder `eks-multinode-triton` is a separate project", self.check(".").err)
        self.write(".git/HEAD", "")
        self.assertNotIn("unmatched-node-selector", self.check_json("load-balancing").ids())

    def test_clusters_of_two_names_or_regions_are_not_mixed(self):
        self.write("eks/a.yaml", self.cluster("one"))
        self.write("apps/app.yaml", SELECTING)
        self.assertIn("unmatched-node-selector", self.found())
        for other in (self.cluster("two", "b"), self.cluster("one", "b", "eu-west-1")):
            self.write("eks/b.yaml", other)
            self.assertNotIn("unmatched-node-selector", self.found(), other)
            self.assertIn("several clusters: one", self.check(".").err)
        self.write("eks/b.yaml", self.cluster("one", "b"))
        self.assertIn("unmatched-node-selector", self.found())


if __name__ == "__main__":
    unittest.main()
