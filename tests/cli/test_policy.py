"""`policy`: admission policies from nodes and rules, what is left out, drift, formats, the user's own policies."""
import json
import unittest

import yaml

from support import SOURCE, Case

NODES = """\
apiVersion: v1
kind: Node
metadata: {name: gpu-1, labels: {nvidia.com/gpu.product: Tesla-T4, kubernetes.io/hostname: gpu-1}}
spec: {taints: [{key: dedicated, value: ml, effect: NoSchedule}]}
status: {allocatable: {cpu: "16", memory: 64Gi, pods: "110", nvidia.com/gpu: "2"}}
"""


class Policy(Case):
    def policy(self, *words):
        return self.run_gpulint("policy", *words)

    def documents(self, *words):
        ran = self.policy("--quiet", *words)
        self.assertEqual(ran.status, 0, ran)
        return list(yaml.safe_load_all(ran.out))

    @staticmethod
    def variables(policy):
        return {one["name"]: one["expression"] for one in policy["spec"]["variables"]}

    def setUp(self):
        super().setUp()
        self.write("nodes.yaml", NODES)

    def test_two_policies_with_bindings(self):
        documents = self.documents("nodes.yaml")
        self.assertEqual([(one["kind"], one["metadata"]["name"]) for one in documents], [
            ("ValidatingAdmissionPolicy", "gpulint-deny"), ("ValidatingAdmissionPolicyBinding", "gpulint-deny"),
            ("ValidatingAdmissionPolicy", "gpulint-warn"), ("ValidatingAdmissionPolicyBinding", "gpulint-warn")])
        deny, deny_binding, warn, warn_binding = documents
        self.assertEqual(deny_binding["spec"]["validationActions"], ["Deny"])
        self.assertEqual(warn_binding["spec"]["validationActions"], ["Warn", "Audit"])
        self.assertEqual((deny["spec"]["failurePolicy"], warn["spec"]["failurePolicy"]), ("Fail", "Ignore"))
        for binding in (deny_binding, warn_binding):
            exempt = binding["spec"]["matchResources"]["namespaceSelector"]["matchExpressions"][0]
            self.assertEqual((exempt["operator"], exempt["values"]), ("NotIn", ["kube-system", "gpu-operator"]))

    def test_what_rests_on_nodes_warns_unless_told_to_deny(self):
        deny, _, warn, _ = self.documents("nodes.yaml")
        self.assertIn("no_node_fits", self.variables(warn))
        self.assertIn("gpu_limit_missing", self.variables(deny))
        deny, _, warn, _ = self.documents("--deny", "facts", "nodes.yaml")
        self.assertIn("no_node_fits", self.variables(deny))
        self.assertIn("toleration_value_mismatch", self.variables(warn))  # not each of its findings is an error

    def test_without_nodes_rules_of_one_object_are_left(self):
        self.write("pod.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: a}]}\n")
        ran = self.policy("pod.yaml")
        self.assertEqual(ran.status, 0, ran)
        said = ran.err.replace("\n  ", " ")
        self.assertRegex(said, "skipped, needs GPU nodes among the inputs: [^:]*no-node-fits")
        self.assertFalse("no_node_fits" in ran.out)

    def test_nodes_alike_are_one_entry(self):
        self.write("nodes.yaml", "---\n".join(NODES.replace("gpu-1", f"gpu-{i}") for i in range(1, 31)))
        facts = self.variables(self.documents("nodes.yaml")[2])["facts"]
        self.assertEqual(facts.count("'resources'"), 1)
        self.assertNotIn("'gpu-1'", facts)

    def test_a_node_more_and_another_order_are_no_drift(self):
        nodes = [NODES.replace("gpu-1", f"gpu-{i}") for i in range(1, 4)] + [NODES.replace("gpu-1", "b").replace("Tesla-T4", "Tesla-V100")]
        self.write("nodes.yaml", "---\n".join(nodes[:2] + nodes[3:]))
        self.policy("-o", "p.yaml", "nodes.yaml")
        self.write("nodes.yaml", "---\n".join(reversed(nodes)))
        ran = self.policy("--check", "p.yaml", "nodes.yaml")
        self.assertEqual(ran.status, 0, ran)

    def test_names_of_nodes_are_no_drift(self):
        nodes = [NODES, NODES.replace("gpu-1", "gpu-2").replace("Tesla-T4", "Tesla-V100")]
        self.write("nodes.yaml", "---\n".join(nodes))
        for facts in ("literals", "crd"):
            self.policy("--facts", facts, "-o", "p.yaml", "nodes.yaml")
            self.write("other.yaml", "---\n".join(nodes).replace("gpu-1", "new"))
            ran = self.policy("--facts", facts, "--check", "p.yaml", "other.yaml")
            self.assertEqual(ran.status, 0, ran)

    def test_the_heading_names_the_rules_that_deny(self):
        deny = [line.removeprefix("# gpulint-deny: ").split(",") for line in self.policy("-q", "nodes.yaml").out.splitlines()
                if line.startswith("# gpulint-deny: ")]
        rules = sum(deny, [])
        variables = self.variables(self.documents("nodes.yaml")[0])
        self.assertEqual([rule.replace("-", "_") for rule in rules], list(variables)[-len(rules) - 1:-1])
        self.write("pod.yaml", """\
apiVersion: v1
kind: Pod
metadata: {name: a, namespace: team}
spec:
  tolerations: [{key: nvidia.com/gpu, operator: Sometimes}]
  containers: [{name: a, image: a, resources: {limits: {alpha.kubernetes.io/nvidia-gpu: 1}}}]
""")
        found = set(self.check_json("nodes.yaml", "pod.yaml").ids())
        denied = set(self.check_json("--select", ",".join(rules), "nodes.yaml", "pod.yaml").ids())
        self.assertEqual(denied, found & set(rules))
        self.assertIn("alpha-gpu-api", denied)

    def test_line_breaks_of_old_yaml_are_escaped(self):
        self.write("nodes.yaml", NODES.replace("Tesla-T4", '"A\\u2028B\\u0085C"'))
        facts = self.variables(self.documents("nodes.yaml")[2])["facts"]
        self.assertIn("'A\\u2028B\\u0085C'", facts)

    def test_more_kinds_of_nodes_than_an_expression_holds_go_into_an_object(self):
        self.write("nodes.yaml", "---\n".join(NODES.replace("Tesla-T4", f"Tesla-T4-{i}").replace("value: ml", f"value: ml-{i % 2}")
                                              .replace("metadata: {", f"metadata: {{annotations: {{a: b}}, ") for i in range(400)))
        ran = self.policy("nodes.yaml")
        kinds = [one["kind"] for one in yaml.safe_load_all(ran.out)]
        # Labels of which each node has a value of its own tell no nodes apart.
        self.assertNotIn("GpuFacts", kinds)
        self.write("nodes.yaml", "---\n".join(NODES.replace("Tesla-T4", f"Tesla-T4-{i // 2}") for i in range(800)))
        ran = self.policy("nodes.yaml")
        self.assertIn("a custom resource", ran.err)
        documents = list(yaml.safe_load_all(ran.out))
        self.assertEqual([one["kind"] for one in documents[:3]], ["CustomResourceDefinition", "GpuFacts", "ValidatingAdmissionPolicy"])

    def test_facts_as_parameters(self):
        documents = self.documents("--facts", "crd", "nodes.yaml")
        definition, facts, deny, _, warn, warn_binding = documents
        self.assertEqual((definition["kind"], definition["spec"]["scope"]), ("CustomResourceDefinition", "Cluster"))
        self.assertEqual(facts["spec"]["pools"][0]["resources"]["nvidia.com/gpu"], 2)
        self.assertNotIn("paramKind", deny["spec"])  # it uses none
        self.assertEqual(warn["spec"]["paramKind"], {"apiVersion": "gpulint.dev/v1alpha1", "kind": "GpuFacts"})
        self.assertEqual(warn_binding["spec"]["paramRef"]["name"], "gpulint")
        self.assertEqual(self.variables(warn)["facts"], "params.spec")

    def test_selection(self):
        documents = self.documents("--select", "untolerated-taint", "nodes.yaml")
        self.assertEqual(len(documents), 2)
        self.assertEqual(len(self.documents("--ignore", "placement,partition,resources,operators", "nodes.yaml")), 4)
        self.assertEqual(self.policy("--select", "yaml-syntax", "nodes.yaml").status, 2)
        self.assertEqual(self.policy("--select", "nothing-such", "nodes.yaml").status, 2)

    def test_drift(self):
        self.policy("-o", "policy.yaml", "nodes.yaml")
        self.assertEqual(self.policy("--check", "policy.yaml", "nodes.yaml").status, 0)
        self.write("nodes.yaml", NODES.replace("value: ml", "value: other"))
        ran = self.policy("--check", "policy.yaml", "nodes.yaml")
        self.assertEqual(ran.status, 1, ran)
        self.assertIn("-                    'taints': dyn([{'key': 'dedicated', 'value': 'ml'".replace(" ", ""), ran.out.replace(" ", ""))
        self.assertIn("policy.yaml: out of date: made from other nodes, configuration or rules", ran.err.replace("\n  ", " "))
        self.assertEqual(self.policy("--check", "absent.yaml", "nodes.yaml").status, 2)

    def test_drift_of_what_a_cluster_says(self):
        objects = [one for one in self.documents("nodes.yaml") if one["kind"] == "ValidatingAdmissionPolicy"]
        for one in objects:
            one["metadata"] |= {"resourceVersion": "7", "uid": "x"}
        answer = {"apiVersion": "v1", "kind": "List", "items": objects}
        for name, text in (("live.yaml", yaml.safe_dump(answer)), ("live.json", json.dumps(answer))):
            self.write(name, text)
            self.write("nodes.yaml", NODES)
            self.assertEqual(self.policy("--check", name, "nodes.yaml").status, 0, name)
            self.write("nodes.yaml", NODES.replace("value: ml", "value: other"))
            ran = self.policy("--check", name, "nodes.yaml")
            self.assertEqual((ran.status, ran.out), (1, ""), ran)
            self.assertIn(f"{name} lacks ", ran.err)

    def test_gatekeeper(self):
        documents = self.documents("--format", "gatekeeper", "nodes.yaml")
        self.assertEqual([one["kind"] for one in documents], ["ConstraintTemplate", "GpulintDeny", "ConstraintTemplate", "GpulintWarn"])
        code = documents[0]["spec"]["targets"][0]["code"][0]
        self.assertEqual(code["engine"], "K8sNativeValidation")
        vap = self.documents("nodes.yaml")[0]
        self.assertEqual(code["source"]["variables"], vap["spec"]["variables"])
        # Gatekeeper 3.23, pkg/drivers/k8scel/schema/schema.go: what stands under another key is passed over.
        self.assertEqual(code["source"]["matchCondition"], vap["spec"]["matchConditions"])
        self.assertNotIn("matchConditions", code["source"])
        self.assertEqual(documents[0]["spec"]["crd"]["spec"]["names"]["kind"], "GpulintDeny")
        self.assertEqual(documents[1]["spec"]["enforcementAction"], "deny")
        self.assertEqual(self.policy("--format", "gatekeeper", "--facts", "crd", "nodes.yaml").status, 2)

    def test_mutations(self):
        policy, binding = self.documents("--format", "map", "nodes.yaml")
        self.assertEqual((policy["kind"], binding["kind"]), ("MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding"))
        self.assertEqual((policy["spec"]["failurePolicy"], policy["spec"]["reinvocationPolicy"]), ("Ignore", "IfNeeded"))
        self.assertEqual([one["patchType"] for one in policy["spec"]["mutations"]], ["JSONPatch"] * 4)
        self.assertEqual(self.policy("--format", "map", "--select", "untolerated-taint", "nodes.yaml").status, 2)

    def test_own_policies(self):
        self.write("gpulint.yaml", """\
policies:
- {id: own-team, message: "GPU pods must name a team", match: {kind: "Pod|Job", requestsGpu: true},
   require: {path: metadata.labels.example.com/team, pattern: "[a-z-]+"}}
- {id: own-services, match: {kind: Service}, forbid: {path: spec.externalIPs}}
""")
        ran = self.policy("nodes.yaml")
        self.assertEqual(ran.status, 0, ran)
        text = "".join(self.variables(one)["own_team"] for one in yaml.safe_load_all(ran.out)
                       if "own_team" in one["spec"].get("variables", [{}])[-2:].__repr__() or "own_team" in str(one))
        self.assertIn("'example.com/team'", text)
        self.assertIn("^(?:[a-z-]+)$", text)
        self.assertIn("own-services", ran.err)  # of kinds that no policy is asked about

    def test_two_clusters_are_not_one_policy(self):
        self.write("gpulint.yaml", "scopes: [{name: a, paths: ['a/**']}, {name: b, paths: ['b/**']}]\n")
        for name in "ab":
            self.write(f"{name}/nodes.yaml", NODES)
        ran = self.policy(".")
        self.assertEqual(ran.status, 2, ran)
        self.assertIn("several clusters", ran.err)

    def test_the_same_bytes_for_the_same_inputs(self):
        self.assertEqual(self.policy("nodes.yaml").out, self.policy("nodes.yaml").out)

    def test_lines_can_be_read(self):
        folder = SOURCE / "testdata/showcase"
        ran = self.run_gpulint("policy", "nodes.yaml", folder=folder)
        self.assertEqual(ran.status, 0, ran)
        self.assertLess(max(map(len, ran.out.splitlines())), 320)


if __name__ == "__main__":
    unittest.main()
