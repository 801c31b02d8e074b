"""Patches of kustomize: no objects, merged onto their bases, fixed where they stand."""
from support import Case

NODES = """apiVersion: v1
kind: Node
metadata: {name: gpu-1}
spec:
  taints:
  - {key: nvidia.com/gpu, value: present, effect: NoSchedule}
status:
  allocatable: {cpu: "16", memory: 64Gi, pods: "110", nvidia.com/gpu: "2"}
"""
BASE = """apiVersion: apps/v1
kind: Deployment
metadata: {name: infer}
spec:
  strategy: {type: Recreate}
  selector: {matchLabels: {app: infer}}
  template:
    metadata: {labels: {app: infer}}
    spec:
      tolerations:
      - {key: nvidia.com/gpu, operator: Exists}
      containers:
      - name: main
        image: example.com/infer:1
        resources:
          limits: {nvidia.com/gpu: 1}
"""
PATCH = """apiVersion: apps/v1
kind: Deployment
metadata: {name: infer}
spec:
  template:
    spec:
      containers:
      - name: main
        resources:
          limits: {nvidia.com/gpu: 2}
"""
DEFINITION = """apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: gpupools.example.com
spec:
  group: example.com
  names:
    kind: GpuPool
    plural: gpupools
  scope: Cluster
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              gpuModel: {type: string}
              resourceClaims: {type: array, items: {type: string}}
"""
CUSTOM_RESOURCE = """apiVersion: example.com/v1
kind: GpuPool
metadata: {name: a100}
spec:
  gpuModl: nvidia.com/gpu
"""
OVERLAY = "resources: [../base]\npatches:\n- path: patch.yaml\n"


class Kustomize(Case):
    def write_tree(self, patch=PATCH, base=BASE, overlay=OVERLAY):
        self.write("nodes.yaml", NODES)
        self.write("base/deployment.yaml", base)
        self.write("base/kustomization.yaml", "resources: [deployment.yaml]\n")
        self.write("overlay/kustomization.yaml", overlay)
        self.write("overlay/patch.yaml", patch)

    def test_a_deployment_that_labels_complete_is_one_verdict(self):
        # kustomize writes the selector that the API server requires.
        whole = "  selector: {matchLabels: {app: infer}}\n"
        for labels in ["commonLabels: {app: infer}\n",
                       "labels:\n- {pairs: {app: infer}, includeSelectors: true}\n"]:
            self.write("nodes.yaml", NODES)
            self.write("deployment.yaml", BASE.replace(whole, "").replace(
                "    metadata: {labels: {app: infer}}\n", ""))
            self.write("kustomization.yaml",
                       "resources: [deployment.yaml]\nnamePrefix: new-\nnamespace: ml\n" + labels)
            result = self.run_gpulint("check", ".", "--provider", "generic")
            self.assertIn("No problems found", result.out)
            result = self.run_gpulint("why", ".")
            self.assertEqual(result.out, "1 workload: each fits at least one node\n")
            result = self.run_gpulint("place", ".")
            self.assertIn("Deployment/ml/new-infer  fits", result.out)
            self.assertEqual((result.status, result.trouble), (0, ""))

    def test_a_definition_is_read_where_resources_of_its_kind_are(self):
        for text in [DEFINITION + "---\n" + CUSTOM_RESOURCE, CUSTOM_RESOURCE + "---\n" + DEFINITION]:
            self.write("all.yaml", text)
            result = self.run_gpulint("check", ".")
            self.assertIn("error[invalid-custom-resource]", result.out)
            self.assertIn("`gpuModl`", result.out)

    def test_a_patch_of_a_definition_without_resources_is_no_flaw(self):
        self.write_tree(overlay="resources: [../base, crd.yaml]\npatches:\n- path: patch.yaml\n- path: crd-patch.yaml\n")
        self.write("overlay/crd.yaml", DEFINITION)
        self.write("overlay/crd-patch.yaml", "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
                                             "metadata: {name: gpupools.example.com}\nspec: {conversion: {strategy: None}}\n")
        result = self.run_gpulint("check", ".", "--provider", "generic")
        self.assertIn("No problems found in 7 files", result.out)
        self.assertEqual(result.trouble, "")
        # The kind of a resource brings its definition, and the patch is applied.
        self.write("overlay/pool.yaml", CUSTOM_RESOURCE)
        result = self.run_gpulint("check", ".", "--provider", "generic")
        self.assertIn("error[invalid-custom-resource]", result.out)
        self.assertEqual(result.trouble, "")

    def test_a_finding_about_what_a_kustomization_adds_is_in_it(self):
        self.write("nodes.yaml", NODES)
        self.write("deployment.yaml", BASE)
        self.write("queue.yaml", "apiVersion: kueue.x-k8s.io/v1beta1\nkind: LocalQueue\n"
                                 "metadata: {name: training}\nspec: {clusterQueue: gpus}\n")
        self.write("kustomization.yaml", "resources: [deployment.yaml, queue.yaml]\nlabels:\n- pairs:\n"
                                         "    kueue.x-k8s.io/queue-name: trainning\n")
        result = self.run_gpulint("check", ".", "--provider", "generic", "--format", "concise")
        self.assertIn("kustomization.yaml:4:32: error[misspelt-reference]", result.out)

    def write_diamond(self, levels):
        for level in range(levels):
            for side in "ab":
                self.write(f"{side}{level}/kustomization.yaml",
                           f"resources: [../a{level + 1}, ../b{level + 1}]\nnamePrefix: {side}-\n")
        for side in "ab":
            self.write(f"{side}{levels}/kustomization.yaml", "resources: [pod.yaml]\n")
            self.write(f"{side}{levels}/pod.yaml", BASE)

    def test_many_kustomizations_share_a_limit_of_objects(self):
        self.write_diamond(11)
        for top in range(30):
            self.write(f"t{top}/kustomization.yaml", "resources: [../a0, ../b0]\n")
        result = self.check_json(".")
        self.assertEqual(set(result.ids()), {"input-limit"})
        self.assertLess(result.json()["read"]["workloads"], 100)

    def test_a_kustomization_that_makes_too_many_objects_is_a_finding(self):
        self.write_diamond(30)
        result = self.run_gpulint("check", ".", "--format", "concise")
        self.assertIn("a0/kustomization.yaml:1:1: error[input-limit]: gpulint did not build this "
                      "kustomization, because it creates more than ", result.out)
        self.assertEqual(result.status, 1)
        for command in [("fix", "--diff"), ("place",), ("why",), ("policy",)]:
            self.assertIn(self.run_gpulint(*command, ".").status, (0, 1))

    def test_a_patch_with_its_base_is_one_workload(self):
        self.write_tree()
        for inputs in [(".", "--nodes", "nodes.yaml", "--provider", "generic"),
                       ("nodes.yaml", "base/deployment.yaml", "base/kustomization.yaml",
                        "overlay/kustomization.yaml", "overlay/patch.yaml")]:
            result = self.run_gpulint("place", *inputs)
            self.assertEqual(result.out.count("Deployment/default/infer"), 1, result.out)
            self.assertNotIn("refused", result.out)
            self.assertEqual((result.status, result.trouble), (0, ""))

    def test_no_second_toleration_is_written_into_a_patch(self):
        self.write_tree()
        result = self.run_gpulint("fix", "--unsafe-fixes", ".", "--nodes", "nodes.yaml", "--provider", "generic")
        self.assertEqual(result.status, 0, result)
        self.assertEqual(self.read("overlay/patch.yaml"), PATCH, result.out)
        self.assertEqual(self.read("base/deployment.yaml"), BASE)

    def test_a_fix_goes_to_the_file_that_decides(self):
        self.write_tree(patch=PATCH.replace("nvidia.com/gpu: 2", "nvidia.com/gpus: 2"))
        self.run_gpulint("fix", "--unsafe-fixes", ".")
        self.assertEqual(self.read("overlay/patch.yaml"), PATCH)
        self.assertEqual(self.read("base/deployment.yaml"), BASE)

    def test_a_base_that_every_overlay_mends_is_silent(self):
        bare = BASE.replace("      tolerations:\n      - {key: nvidia.com/gpu, operator: Exists}\n", "")
        mending = PATCH + "      tolerations: [{key: nvidia.com/gpu, operator: Exists}]\n"
        self.write_tree(base=bare, patch=mending)
        result = self.run_gpulint("check", ".", "--nodes", "nodes.yaml", "--provider", "generic")
        self.assertEqual(result.status, 0, result.out)
        self.write("other/kustomization.yaml", "resources: [../base]\n")
        result = self.run_gpulint("check", ".", "--nodes", "nodes.yaml", "--provider", "generic")
        self.assertEqual(result.out.count("untolerated-taint"), 1, result.out)

    def test_a_base_without_gpus_is_read_for_its_patch(self):
        base = BASE.replace("          limits: {nvidia.com/gpu: 1}\n", "          limits: {cpu: 1}\n").replace(
            "      tolerations:\n      - {key: nvidia.com/gpu, operator: Exists}\n", "")
        self.write_tree(base=base)
        result = self.run_gpulint("check", ".", "--nodes", "nodes.yaml", "--provider", "generic")
        self.assertIn("untolerated-taint", result.out)
        self.assertNotIn("not merged", result.err)

    def test_a_patch_without_base_says_how_to_check(self):
        self.write_tree(overlay=OVERLAY.replace("../base", "https://example.com/base"))
        result = self.run_gpulint("check", ".", "--nodes", "nodes.yaml", "--provider", "generic")
        self.assertEqual(result.status, 0, result.out)
        lines = [line for line in result.err.splitlines() if "kustomize" in line]
        self.assertEqual(len(lines), 1, result.err)
        self.assertIn("overlay/kustomization.yaml:3", lines[0])
        self.assertIn("kubectl kustomize overlay | gpulint check - nodes.yaml", lines[0])
        self.assertNotIn("kustomize", self.run_gpulint("check", ".", "--quiet").err)

    def test_a_patch_alone_is_no_workload(self):
        self.write("nodes.yaml", NODES)
        self.write("overlay/patch.yaml", PATCH)
        result = self.run_gpulint("place", "overlay/patch.yaml", "nodes.yaml")
        self.assertNotIn("refused", result.out)
        self.assertNotIn("Deployment", result.out)
        self.assertIn("overlay/patch.yaml:1: patch not merged: no kustomization among the inputs names it; "
                      "check the output of kustomize: kubectl kustomize overlay | gpulint check - nodes.yaml", result.err)
        result = self.run_gpulint("check", "overlay/patch.yaml", "nodes.yaml")
        self.assertEqual((result.status, result.out), (0, "No problems found in 2 files\n"))

    def test_what_is_piped_in_was_built(self):
        self.assertIn("invalid-object", self.check_json("-", stdin=PATCH).ids())
        self.write("patch.yaml", PATCH)
        self.assertEqual(self.check_json("patch.yaml").ids(), [])

    def test_many_patches_do_not_fill_the_screen(self):
        for i in range(7):
            self.write(f"overlay-{i}/patch.yaml", PATCH)
        lines = self.run_gpulint("check", ".").err.splitlines()
        self.assertEqual(len([line for line in lines if "patch not merged" in line]), 5, lines)
        self.assertIn("gpulint: patches not merged in 2 more folders", lines)

    def test_what_concerns_no_gpu_is_put_together_in_silence(self):
        other = BASE.replace("name: infer", "name: web").replace("nvidia.com/gpu", "cpu")
        tolerating = PATCH.replace("name: infer", "name: web").replace("nvidia.com/gpu", "cpu")
        for base in [other, BASE + "---\n" + other]:
            self.write_tree(base=base, patch=tolerating + "      tolerations: [{key: spot, operator: Exists}]\n")
            result = self.run_gpulint("check", ".", "--nodes", "nodes.yaml", "--provider", "generic")
            self.assertEqual((result.status, result.trouble), (0, ""), result.out)

    def test_overlays_of_two_clusters_are_two_scopes(self):
        self.write_tree()
        self.write("overlay/pool.yaml", NODES)
        self.write("overlay/kustomization.yaml", OVERLAY.replace("]", ", pool.yaml]"))
        bare = PATCH + "      tolerations: []\n"
        self.write("other/patch.yaml", bare)
        self.write("other/kustomization.yaml", OVERLAY)
        (self.folder / "nodes.yaml").unlink()
        result = self.run_gpulint("check", ".")
        self.assertEqual(result.status, 0, result.out)

    def test_init_lists_the_kustomization_with_its_base(self):
        self.write_tree()
        self.run_gpulint("init", ".")
        config = self.read("gpulint.yaml")
        for path in ["base/deployment.yaml", "overlay/kustomization.yaml", "overlay/patch.yaml"]:
            self.assertIn(path, config)
        result = self.run_gpulint("place", ".")
        self.assertEqual(result.out.count("infer"), 1, result.out)


class FixesOfRefusedObjects(Case):
    def test_an_error_behind_a_refused_object_keeps_no_fix_back(self):
        base = BASE.replace("limits:", "requests:").replace("image: example.com/infer:1",
                                                          "image: vllm/vllm-openai:v0.6\n        args: [--tensor-parallel-size=2]")
        self.write("base/deployment.yaml", base)
        self.write("base/kustomization.yaml", "resources: [deployment.yaml]\n")
        alone = self.check_json("base").json()["diagnostics"]
        self.write("overlay/kustomization.yaml", "resources: [../base]\npatches:\n- path: patch.yaml\n")
        self.write("overlay/patch.yaml", PATCH[:PATCH.index("spec:")] + "spec:\n  replicas: 2\n")
        merged = self.check_json(".").json()["diagnostics"]
        for findings in (alone, merged):
            self.assertEqual([(f["id"], f["fix"]["safety"]) for f in findings], [("gpu-limit-missing", "safe")], findings)
