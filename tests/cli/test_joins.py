"""Which files of a folder are judged together, and what is said of those that are not (docs/explanation/scopes.md)."""
import shutil
import textwrap
import unittest

from support import GOOD_POD, SOURCE, Case

NODE = """\
apiVersion: v1
kind: Node
metadata: {name: gpu-1}
spec: {taints: [{key: sku, value: gpu, effect: NoSchedule}]}
status: {allocatable: {cpu: "8", memory: 32Gi, nvidia.com/gpu: "1", pods: "110"}}
"""
KEPT_OFF = "untolerated-taint"


def findings(ran):
    return sorted((f["id"], f["file"], f["range"]["start"]["line"]) for f in ran.json()["diagnostics"])


RUNTIME_CLASS = "apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: {name: nvidia}\nhandler: nvidia\n"
TEMPLATE = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: single-gpu}
spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.nvidia.com}}]}}}
"""
CLAIMER = """\
apiVersion: v1
kind: Pod
metadata: {name: claimer}
spec:
  resourceClaims: [{name: gpu, resourceClaimTemplateName: singel-gpu}]
  containers: [{name: main, image: x, resources: {claims: [{name: gpu}]}}]
"""
QUOTA = """\
apiVersion: v1
kind: ResourceQuota
metadata: {name: team}
spec: {hard: {limits.ephemeral-storage: 1Ti, limits.cpu: "64"}}
"""
DEFAULTS = """\
apiVersion: v1
kind: LimitRange
metadata: {name: defaults}
spec: {limits: [{type: Container, default: {cpu: "1"}}]}
"""
KAI_QUEUE = """\
apiVersion: scheduling.run.ai/v2
kind: Queue
metadata: {name: team}
spec: {parentQueue: default-parent-queue, resources: {gpu: {quota: 1, limit: 2}}}
"""
KAI_POD = """\
apiVersion: v1
kind: Pod
metadata: {name: train, labels: {kai.scheduler/queue: team}}
spec:
  schedulerName: kai-scheduler
  containers: [{name: main, image: x, resources: {limits: {nvidia.com/gpu: 4}}}]
"""
OPERATOR = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: gpu-operator, namespace: gpu-operator}
spec:
  chart: {spec: {chart: gpu-operator}}
  values: {devicePlugin: {config: {name: slices, default: four}}}
"""
SLICES = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: slices, namespace: kube-system}
data:
  four: |
    version: v1
    sharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 4}]}}
"""
DISCOVERY = """\
apiVersion: nfd.openshift.io/v1
kind: NodeFeatureDiscovery
metadata: {name: nfd, namespace: openshift-nfd}
spec:
  workerConfig:
    configData: |
      sources:
        pci:
          deviceLabelFields: [class]
"""
POLICY = """\
apiVersion: nvidia.com/v1
kind: ClusterPolicy
metadata: {name: gpu-cluster-policy}
spec: {operator: {defaultRuntime: crio}, driver: {enabled: true}, toolkit: {enabled: true}, devicePlugin: {enabled: true},
       daemonsets: {}, dcgm: {enabled: true}, dcgmExporter: {enabled: true}, gfd: {enabled: true}, nodeStatusExporter: {enabled: true}}
"""
RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: flyte, namespace: flyte}
spec:
  chart: {spec: {chart: flyte-binary}}
  valuesFrom: [{kind: ConfigMap, name: flyte-values}]
"""
APPLICATION = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: flyte}
spec:
  sources:
  - {chart: flyte-binary, repoURL: https://example.com, helm: {valueFiles: [$values/envs/prod.yaml]}}
  - {repoURL: https://example.com/config.git, ref: values}
"""
VALUES = """\
configuration:
  inline:
    plugins:
      k8s:
        gpu-device-node-label: example.org/gpu
"""


def config_map(text):
    return ("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: flyte-values, namespace: flyte}\ndata:\n  values.yaml: |\n" +
            textwrap.indent(text, "    "))


class Objects(Case):
    """Without any nodes: what pods go by in other files."""

    def found(self, *words):
        return [(f["id"], f["file"]) for f in self.check_json(*words).json()["diagnostics"]]

    def test_a_pod_is_held_against_the_runtime_classes_that_are_near(self):
        self.write("runtime/classes.yaml", RUNTIME_CLASS.replace("name: nvidia", "name: gpu-sandbox"))
        self.write("apps/train.yaml", GOOD_POD.replace("spec:\n", "spec:\n  runtimeClassName: gpu-sandbx\n", 1))
        self.assertEqual(self.found("."), [("misspelt-reference", "apps/train.yaml")])
        self.assertIn("near in the directory tree", self.check_json(".").json()["diagnostics"][0]["help"])
        self.assertEqual(self.found("--no-join", "."), [])

    def test_a_class_says_nothing_of_pods_that_name_none(self):
        self.write("runtime/classes.yaml", RUNTIME_CLASS)
        self.write("apps/train.yaml", GOOD_POD)
        self.assertEqual(self.found("."), [])

    def test_a_pod_is_held_against_the_claims_that_are_near(self):
        self.write("claims.yaml", TEMPLATE)
        self.write("pod.yaml", CLAIMER)
        self.assertEqual(self.found("."), [("misspelt-reference", "pod.yaml")])
        self.assertEqual(self.found("--in-tree", "pod.yaml"), [("misspelt-reference", "pod.yaml")])

    def test_claims_of_two_environments_are_not(self):
        self.write("prod/claims.yaml", TEMPLATE)
        self.write("staging/claims.yaml", TEMPLATE.replace("gpu.nvidia.com", "mig.nvidia.com"))
        self.write("apps/pod.yaml", CLAIMER)
        self.assertEqual(self.found("."), [])
        self.write("prod/pod.yaml", CLAIMER)
        self.assertEqual(self.found("."), [("misspelt-reference", "prod/pod.yaml")])


    def test_a_pod_is_held_against_quota_and_defaults_of_its_namespace(self):
        self.write("apps/train.yaml", GOOD_POD)
        self.write("quota.yaml", QUOTA)
        self.assertEqual(self.found("."), [("exceeds-quota", "apps/train.yaml")])
        self.write("defaults.yaml", DEFAULTS)
        self.assertEqual(self.found("."), [])

    def test_a_job_is_held_against_the_queues_of_its_scheduler(self):
        self.write("queues/team.yaml", KAI_QUEUE)
        self.write("apps/train.yaml", KAI_POD)
        self.assertEqual(self.found("."), [("queue-never-admits", "apps/train.yaml")])


    def test_a_pod_is_held_against_what_its_scheduler_is_told(self):
        self.write("kai/values.yaml", "global: {gpuSharing: false}\n")
        half = KAI_POD.replace(", resources: {limits: {nvidia.com/gpu: 4}}", "")
        self.write("kai/half.yaml", half.replace("labels:", "annotations: {gpu-fraction: '0.5'}, labels:"))
        self.assertEqual(self.found("--preview", "."), [("gpu-sharing-disabled", "kai/half.yaml")])

    def test_a_release_is_held_against_the_config_map_that_it_mounts(self):
        self.write("operator/release.yaml", OPERATOR)
        self.write("operator/slices.yaml", SLICES)
        self.assertEqual(self.found("."), [("misspelt-reference", "operator/release.yaml")])
        self.write("operator/slices.yaml", SLICES.replace("kube-system", "gpu-operator"))
        self.assertEqual(self.found("."), [])

    def test_an_operator_is_held_against_what_feature_discovery_is_told(self):
        self.write("nfd.yaml", DISCOVERY)
        self.write("policy.yaml", POLICY)
        self.assertEqual(self.found("."), [("nfd-labels-unknown-to-operator", "nfd.yaml")])


class Releases(Case):
    """What a release takes its values from belongs to it, wherever it stands."""

    def reads(self, *words):
        return self.check_json(*words).json()["read"]

    def test_the_config_map_that_a_release_names(self):
        self.write("apps/flyte.yaml", RELEASE)
        self.write("values/flyte.yaml", config_map(VALUES))
        self.assertEqual(self.check(".").err, "gpulint: read: 1 Flyte release (apps/flyte.yaml, values/flyte.yaml)\n")

    def test_the_file_that_an_application_names(self):
        self.write("argocd/flyte.yaml", APPLICATION)
        self.write("envs/prod.yaml", VALUES)
        self.write("nodes/gpu.yaml", NODE)
        found = [(f["id"], f["file"]) for f in self.check_json(".").json()["diagnostics"]]
        self.assertIn(("label-provider-mismatch", "envs/prod.yaml"), found)

    def test_of_two_files_that_a_name_fits_none_is_meant(self):
        self.write("argocd/flyte.yaml", APPLICATION)
        for folder in ("a", "b"):
            self.write(f"{folder}/envs/prod.yaml", VALUES)
        self.assertNotIn("argocd/flyte.yaml", self.check(".").err)


class Joins(Case):
    def found(self, *words):
        return [(f["id"], f["file"]) for f in self.check_json(*words).json()["diagnostics"]]

    def test_a_folder_is_judged_as_its_files_are_together(self):
        self.write("nodes/gpu.yaml", NODE)
        self.write("apps/train.yaml", GOOD_POD)
        by_name = self.check_json("nodes/gpu.yaml", "apps/train.yaml")
        self.assertIn((KEPT_OFF, "apps/train.yaml"), self.found("nodes/gpu.yaml", "apps/train.yaml"))
        self.assertEqual(findings(self.check_json(".")), findings(by_name))
        self.assertEqual(findings(self.check_json()), findings(by_name))

    def test_a_finding_says_which_nodes_it_rests_on(self):
        self.write("nodes/gpu.yaml", NODE)
        self.write("apps/train.yaml", GOOD_POD)
        found = [f for f in self.check_json(".").json()["diagnostics"] if f["id"] == KEPT_OFF]
        self.assertIn("nodes/gpu.yaml", found[0]["help"])
        named = [f for f in self.check_json("nodes", "apps/train.yaml").json()["diagnostics"] if f["id"] == KEPT_OFF]
        self.assertNotIn("nearest", "".join(f["help"] for f in named))

    def test_whoever_wants_none_gets_none(self):
        self.write("nodes/gpu.yaml", NODE)
        self.write("apps/train.yaml", GOOD_POD)
        self.assertEqual(self.found("--no-join", "."), [])
        self.write("gpulint.yaml", "join: none\n")
        self.assertEqual(self.found("."), [])
        self.write("gpulint.yaml", "join: auto\n")
        self.assertIn((KEPT_OFF, "apps/train.yaml"), self.found("."))
        self.write("gpulint.yaml", "join: some\n")
        ran = self.check(".")
        self.assertEqual(ran.status, 2)
        self.assertIn("must be auto, none", ran.err)

    def test_what_gpulint_yaml_names_is_not_joined(self):
        self.write("nodes/gpu.yaml", NODE)
        self.write("cluster/nodes.yaml", NODE.replace("gpu-1", "gpu-2").replace("spec: {taints", "spec: {x"))
        self.write("apps/train.yaml", GOOD_POD)
        self.write("gpulint.yaml", "nodes: [cluster/nodes.yaml]\n")
        self.assertNotIn((KEPT_OFF, "apps/train.yaml"), self.found("."))

    def test_what_is_not_compared_is_said_with_the_reason(self):
        self.write("clusters/a/nodes.yaml", NODE)
        self.write("clusters/b/nodes.yaml", NODE.replace("gpu-1", "gpu-2"))
        self.write("apps/train.yaml", GOOD_POD)
        ran = self.check(".")
        self.assertEqual((ran.status, ran.out.splitlines()[-1]), (0, "No problems found in 3 files"))
        self.assertIn("not compared: 1 workload in apps/train.yaml with the nodes in clusters/a/nodes.yaml and 1 more file: "
                      "the nodes belong to several clusters: a, b", ran.err)
        self.assertIn("gpulint init", ran.err)
        self.assertEqual(self.check("-q", ".").err, "")

    def test_nodes_without_gpus_are_no_news(self):
        self.write("vendor/lib/node.yaml", NODE.replace('nvidia.com/gpu: "1", ', ""))
        self.write("apps/train.yaml", GOOD_POD)
        self.assertEqual(self.check(".").trouble, "")

    def test_pods_without_gpus_are_read_beside_nodes(self):
        # The second document mentions no GPU: a walk alone would not even parse it.
        plain = GOOD_POD.replace("train", "web").replace("      limits: {nvidia.com/gpu: 1}\n", "      limits: {cpu: 1}\n")
        self.write("nodes.yaml", NODE)
        self.write("pods.yaml", GOOD_POD + "---\n" + plain)
        self.assertEqual(findings(self.check_json(".")), findings(self.check_json("nodes.yaml", "pods.yaml")))

    def test_every_project_of_one_cluster_gives_the_same_by_name(self):
        for project in sorted((SOURCE / "testdata/projects").iterdir()):
            names = sorted(str(path.relative_to(project)) for path in project.rglob("*.yaml"))
            if not names:
                continue
            with self.subTest(project.name):
                alone = self.check_json("--no-config", ".", folder=project)
                named = self.check_json("--no-config", *names, folder=project)
                self.assertEqual(findings(alone), findings(named))


class Reading(Case):
    def test_json_sums_up_what_was_understood(self):
        self.write("nodes/gpu.yaml", NODE)
        self.write("apps/train.yaml", GOOD_POD)
        read = self.check_json(".").json()["read"]
        self.assertEqual(read["joins"], [{"files": ["apps/train.yaml", "nodes/gpu.yaml"],
                                          "because": "the nodes of nodes/gpu.yaml are the nearest in the tree"}])
        self.assertEqual({key: read[key] for key in ("nodes", "pools", "releases", "workloads", "tasks", "notRead")},
                         {"nodes": 1, "pools": 0, "releases": 0, "workloads": 1, "tasks": 0, "notRead": []})

    def test_a_named_file_in_which_nothing_is_read_is_told(self):
        self.write("pod.yaml", GOOD_POD)
        self.write("wide.txt", "NAME     STATUS   ROLES    AGE   VERSION\ngpu-1    Ready    <none>   5d    v1.31\n")
        ran = self.check_json("pod.yaml", "wide.txt")
        self.assertIn("gpulint: wide.txt: contains nothing that gpulint reads: it looks like a table of `kubectl get nodes`. "
                      "Add `-o yaml` to the command\n", ran.err)
        self.assertEqual([f["file"] for f in ran.json()["read"]["notRead"]], ["wide.txt"])
        self.assertEqual(self.check("-q", "pod.yaml", "wide.txt").err, "")


class Hooks(Case):
    """Hooks name what is staged; the verdict must not depend on what that is."""

    def setUp(self):
        super().setUp()
        self.write("clusters/a/nodes/n.yaml", NODE)
        self.write("clusters/a/deploy/p.yaml", GOOD_POD)
        self.write("clusters/b/deploy/p.yaml", GOOD_POD)

    def found(self, *names):
        ran = self.check_json("--in-tree", *names)
        return [(f["id"], f["file"]) for f in ran.json()["diagnostics"]]

    def test_each_file_is_judged_as_in_its_tree(self):
        self.assertEqual(self.found("clusters/a/deploy/p.yaml"), [(KEPT_OFF, "clusters/a/deploy/p.yaml")])
        self.assertEqual(self.found("clusters/b/deploy/p.yaml"), [])
        self.assertEqual(self.found("clusters/a/nodes/n.yaml", "clusters/b/deploy/p.yaml"),
                         [(KEPT_OFF, "clusters/a/deploy/p.yaml")])  # the node is half of it
        self.assertEqual(self.found("./clusters/a/deploy"), [(KEPT_OFF, "clusters/a/deploy/p.yaml")])

    def test_other_files_are_not_reported_on(self):
        self.write("clusters/b/deploy/q.yaml", GOOD_POD.replace("gpu: 1", "gpu: half"))
        self.assertEqual(self.found("clusters/b/deploy/p.yaml"), [])
        self.assertNotEqual(self.found("clusters/b/deploy/q.yaml"), [])
        self.assertEqual(self.check_json("--in-tree", "clusters/b/deploy/p.yaml").json()["summary"]["files"], 1)

    def test_fix_changes_only_what_is_named(self):
        alpha = GOOD_POD.replace("apiVersion: v1\n", "apiVersion: v1  # gpulint: ignore[yaml-syntax] x\n")
        self.write("one.yaml", alpha)
        self.write("two.yaml", alpha)
        self.run_gpulint("fix", "--in-tree", "one.yaml")
        self.assertNotIn("ignore", self.read("one.yaml"))
        self.assertEqual(self.read("two.yaml"), alpha)


class Init(Case):
    def test_two_clusters_become_two_scopes(self):
        for name, taint in (("a", "sku"), ("b", "team")):
            self.write(f"clusters/{name}/nodes/n.yaml", NODE.replace("key: sku", f"key: {taint}").replace("gpu-1", name))
            self.write(f"clusters/{name}/deploy/p.yaml", GOOD_POD)
        before = findings(self.check_json("."))
        self.assertEqual(self.run_gpulint("init").status, 0)
        text = self.read("gpulint.yaml")
        self.assertIn("scopes:\n- name: a\n", text)
        self.assertIn("- name: b\n", text)
        self.assertEqual(findings(self.check_json(".")), before)

    def test_clusters_of_which_nothing_shows_what_runs_there_are_not_joined(self):
        self.write("clusters/a/nodes/n.yaml", NODE)
        self.write("clusters/b/deploy/p.yaml", GOOD_POD)
        self.assertEqual(self.check(".").status, 0)
        self.assertEqual(self.run_gpulint("init").status, 0)
        self.assertEqual(self.check(".").status, 0)
        self.assertIn("# - clusters/a/nodes/n.yaml\n", self.read("gpulint.yaml"))

    def test_what_is_written_covers_files_to_come(self):
        self.write("infra/nodes/gpu.yaml", NODE)
        self.write("teams/nlp/app.yaml", GOOD_POD)
        self.write("job.yaml", GOOD_POD)
        before = findings(self.check_json("."))
        self.assertEqual(self.run_gpulint("init").status, 0)
        self.assertEqual(findings(self.check_json(".")), before)
        text = self.read("gpulint.yaml")
        for line in ('- "infra/nodes/*"  # infra/nodes/gpu.yaml\n', '- "teams/**"  # teams/nlp/app.yaml\n', '- "*.yaml"  # job.yaml\n'):
            self.assertIn(line, text)
        for name in ("teams/search/app.yaml", "teams/nlp/more/app.yaml", "new.yaml"):
            self.write(name, GOOD_POD)
            self.assertIn((KEPT_OFF, name), [(rule, file) for rule, file, _ in findings(self.check_json("."))])
        self.write("infra/nodes/more.yaml", NODE.replace("gpu-1", "gpu-2").replace("spec: {taints", "spec: {x"))
        self.assertNotIn(KEPT_OFF, self.check_json(".").ids())

    def test_a_release_with_sources_beside_it_is_one(self):
        self.write("flyte/values.yaml", VALUES)
        self.write("nodes.yaml", NODE)
        for name in ("embed", "train"):
            self.write(f"workflows/{name}.py", "from flytekit import Resources, task\n\n\n"
                       f"@task(requests=Resources(gpu='1'))\ndef {name}(): ...\n")
        self.run_gpulint("init")
        self.assertIn('- "workflows/**"  # workflows/embed.py, workflows/train.py\n', self.read("gpulint.yaml"))
        self.write("gpulint.yaml", self.read("gpulint.yaml").replace("workflows/**", "workflows/embed.py"))
        self.write("workflows/more.py", self.read("workflows/train.py"))
        self.assertEqual(self.check_json(".").json()["read"]["releases"], 1)

    def test_clusters_of_one_folder_keep_their_files(self):
        for name, taint in (("a", "sku"), ("b", "team")):
            self.write(f"clusters/{name}/nodes/n.yaml", NODE.replace("key: sku", f"key: {taint}").replace("gpu-1", name))
            self.write(f"clusters/{name}/deploy/p.yaml", GOOD_POD)
        self.run_gpulint("init")
        self.assertIn('  - "clusters/a/**"  # clusters/a/deploy/p.yaml\n', self.read("gpulint.yaml"))

    def test_odd_names_stay_names(self):
        for name in ("nodes[1].yaml", "no*des.yaml", "a: b?.yaml"):
            with self.subTest(name):
                shutil.rmtree(self.folder)
                self.folder.mkdir()
                self.write(name, NODE)
                self.write("pod.yaml", GOOD_POD)
                before = findings(self.check_json("."))
                self.assertNotEqual(before, [])
                self.assertEqual(self.run_gpulint("init").status, 0)
                self.assertEqual(findings(self.check_json(".")), before)


if __name__ == "__main__":
    unittest.main()
