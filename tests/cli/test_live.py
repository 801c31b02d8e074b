"""What a cluster gives back: pods of one owner, what it writes down for itself, reports for it."""
import copy
import json
import unittest

from support import Case

NODE = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "gpu-1"},
        "spec": {"taints": [{"key": "dedicated", "value": "ml", "effect": "NoSchedule"}]},
        "status": {"allocatable": {"cpu": "8", "memory": "32Gi", "nvidia.com/gpu": "1", "pods": "110"}}}


def pod(name, owner="ReplicaSet", node=None):
    limits = {"cpu": "1", "nvidia.com/gpu": "1"}
    return {"apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": name, "namespace": "team", "uid": f"uid-{name}", "managedFields": [{"manager": "a"}],
                         "ownerReferences": [{"apiVersion": "apps/v1", "kind": owner, "controller": True, "name": "train-1", "uid": f"7-{owner}"}]},
            "spec": {"containers": [{"name": "main", "image": "a/b:1", "resources": {"limits": limits, "requests": limits}}],
                     **({"nodeName": node} if node else {})},
            "status": {"phase": "Running" if node else "Pending", "conditions": [{"type": "Ready"}]}}


class Live(Case):
    def dump(self, *objects):
        self.write("all.json", json.dumps({"apiVersion": "v1", "kind": "List", "items": list(objects)}, indent=4))

    def findings(self, *words, rule="untolerated-taint"):
        ran = self.run_gpulint("check", "--no-config", "--format", "json", *words)
        return [one for one in ran.json()["diagnostics"] if one["id"] == rule], ran.err

    def test_pods_of_one_owner_are_one_finding(self):
        self.dump(NODE, *(pod(f"a-{i}") for i in range(5)))
        found, said = self.findings("all.json")
        self.assertEqual(len(found), 1)
        self.assertIn("The same applies to 4 other pods of ReplicaSet/team/train-1", json.dumps(self.explained("all.json")))
        self.assertIn("pods skipped: 4", said)

    def explained(self, *words):
        return self.run_gpulint("check", "--no-config", "--format", "text", *words).out.replace("\n", " ")

    @staticmethod
    def owned(kind, name, owner=None, **spec):
        references = [{"kind": owner[0], "name": owner[1], "controller": True}] if owner else []
        return {"apiVersion": "apps/v1", "kind": kind, "spec": spec,
                "metadata": {"name": name, "namespace": "team", "ownerReferences": references}}

    def test_a_deployment_its_replica_set_and_its_pods_are_one_finding(self):
        pods = [pod(f"train-1-{i}") for i in range(3)]
        template = {"metadata": {"labels": {"app": "train"}}, "spec": pods[0]["spec"]}
        shape = {"replicas": 3, "selector": {"matchLabels": {"app": "train"}}, "template": template}
        deployment = self.owned("Deployment", "train", **shape)
        replica_set = self.owned("ReplicaSet", "train-1", ("Deployment", "train"), **shape)
        for objects in ([*pods, replica_set, deployment], [deployment, replica_set, *pods]):
            self.dump(NODE, *objects)
            found, _ = self.findings("all.json")
            self.assertEqual(len(found), 1, found)
            self.assertIn("Deployment `train`", found[0]["message"])
            self.assertIn("1 ReplicaSet and 3 pods of Deployment/team/train", found[0]["help"])
        self.dump(NODE, *pods, replica_set)
        found, _ = self.findings("all.json")
        self.assertEqual(len(found), 1, found)
        self.assertIn("The same applies to 3 pods of Deployment/team/train", found[0]["help"])

    def test_they_are_one_row_and_one_story_in_text(self):
        pods = [pod(f"train-1-{i}") for i in range(3)]
        shape = {"selector": {"matchLabels": {"app": "train"}}, "template": {"metadata": {"labels": {"app": "train"}}, "spec": pods[0]["spec"]}}
        deployment = self.owned("Deployment", "train", **shape)
        replica_set = self.owned("ReplicaSet", "train-1", ("Deployment", "train"), **shape)
        older = self.owned("ReplicaSet", "train-0", ("Deployment", "train"), **shape)
        for objects, name in (([*pods, replica_set, deployment], "Deployment/team/train and its ReplicaSet, 3 pods"),
                              ([deployment, replica_set, older], "Deployment/team/train and its 2 ReplicaSets"),
                              ([replica_set, *pods], "ReplicaSet/team/train-1 and its 3 pods"),
                              ([older, replica_set, pods[0]], "ReplicaSet/team/train-0 and 1 other ReplicaSet, 1 pod of Deployment/team/train"),
                              (pods, "Pod/team/train-1-0 and 2 other pods of ReplicaSet/team/train-1")):
            self.dump(NODE, *objects)
            placed = self.run_gpulint("place", "--no-config", "all.json").out
            self.assertEqual(placed.count(name), 2, placed)  # a row and a note
            self.assertEqual(placed.count("/team/train"), 2 + 2 * (" of " in name), placed)
            told = self.run_gpulint("why", "--no-config", "all.json").out
            self.assertEqual(told.count("fits no node"), 1, told)
            self.assertIn(name + ": fits no node", told.replace("\n  ", " "))
            for command, key in (("place", "results"), ("why", "workloads")):
                ran = self.run_gpulint(command, "--no-config", "--format", "json", "all.json")
                self.assertEqual(len(ran.json()[key]), len(objects))
        other = copy.deepcopy(pods[0])
        other["spec"]["tolerations"] = [{"operator": "Exists"}]
        self.dump(NODE, deployment, replica_set, other)
        placed = self.run_gpulint("place", "--no-config", "all.json").out
        self.assertIn("Deployment/team/train and its ReplicaSet ", placed)
        self.assertRegex(placed, r"Pod/team/train-1-0 +fits")

    def test_a_suppression_on_a_deployment_covers_what_it_made(self):
        limits = {"cpu": "1", "nvidia.com/gpu": "1"}
        spec = {"containers": [{"name": "main", "image": "a/b:1", "resources": {"limits": limits, "requests": limits}}]}
        shape = {"selector": {"matchLabels": {"app": "train"}}, "template": {"metadata": {"labels": {"app": "train"}}, "spec": spec}}
        deployment = self.owned("Deployment", "train", **shape)
        replica_set = self.owned("ReplicaSet", "train-1", ("Deployment", "train"), **shape)
        silent = {"annotations": {"gpulint.dev/ignore": "untolerated-taint"}}
        for silenced, others in ((deployment, [replica_set, pod("train-1-0")]), (replica_set, [pod("train-1-0")])):
            self.dump(NODE, {**silenced, "metadata": {**silenced["metadata"], **silent}}, *others)
            self.assertEqual(self.findings("all.json")[0], [])
        # One on a pod says nothing of its owner.
        quiet = pod("train-1-0")
        self.dump(NODE, deployment, replica_set, {**quiet, "metadata": {**quiet["metadata"], **silent}})
        self.assertEqual(len(self.findings("all.json")[0]), 1)

    def test_objects_that_differ_from_their_owner_keep_their_findings(self):
        old = pod("train-1-0")
        template = copy.deepcopy(old["spec"])
        template["tolerations"] = [{"operator": "Exists"}]
        shape = {"selector": {"matchLabels": {"app": "train"}}, "template": {"metadata": {"labels": {"app": "train"}}, "spec": template}}
        self.dump(NODE, self.owned("Deployment", "train", **shape), self.owned("ReplicaSet", "train-1", ("Deployment", "train"), **shape), old)
        found, _ = self.findings("all.json")
        self.assertEqual(len(found), 1, found)
        self.assertIn("Pod `train-1-0`", found[0]["message"])

    def test_an_object_that_owns_itself_ends(self):
        self.dump(NODE, {**pod("a"), "metadata": {"name": "a", "namespace": "team", "ownerReferences": [
            {"kind": "Pod", "name": "a", "controller": True}]}})
        self.assertEqual(len(self.findings("all.json")[0]), 1)

    def test_so_they_are_in_yaml(self):
        self.write("pods.yaml", "---\n".join(json.dumps(one) + "\n" for one in (NODE, pod("a"), pod("b"), pod("c"))))
        found, said = self.findings("pods.yaml")
        self.assertEqual(len(found), 1)
        self.assertIn("2 other pods of ReplicaSet/team/train-1", self.explained("pods.yaml"))
        self.assertNotIn("others", said)

    def test_pods_of_a_workflow_differ_from_one_another(self):
        fits = pod("b", owner="FlyteWorkflow")
        fits["spec"]["tolerations"] = [{"operator": "Exists"}]
        self.dump(NODE, fits, pod("a", owner="FlyteWorkflow"))
        found, said = self.findings("all.json")
        self.assertEqual(len(found), 1)
        self.assertNotIn("others", said)

    def test_a_pod_that_runs_stands_for_none_that_waits(self):
        self.dump(NODE, pod("a", node="gpu-1"), pod("b", node="gpu-1"), pod("c"), pod("d"))
        found, _ = self.findings("all.json")
        self.assertEqual(len(found), 1)
        self.assertIn("1 other pod of ReplicaSet/team/train-1", self.explained("all.json"))

    def test_every_pod_is_placed(self):
        self.dump(NODE, *(pod(f"a-{i}") for i in range(5)))
        placed = self.run_gpulint("place", "--no-config", "--format", "json", "all.json").json()["results"]
        self.assertEqual(len(placed), 5)

    def test_places_are_those_of_the_file(self):
        self.dump(NODE, pod("a"), pod("b"))
        found, _ = self.findings("all.json")
        lines = (self.folder / "all.json").read_text().splitlines()
        place = found[0]["range"]["start"]
        before = "\n".join(lines[:place["line"] - 1] + [lines[place["line"] - 1][:place["column"] - 1]])
        self.assertEqual(before.count('"kind": "Pod"'), 1)

    def test_large_yaml_is_told_of_json(self):
        self.write("all.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: nvidia.com/gpu}\ndata:\n" + "  a: b\n" * (11 << 20))
        found, _ = self.findings("all.yaml", rule="input-limit")
        self.assertIn("64 MiB", found[0]["message"])
        self.assertIn("-o json", found[0]["message"])


class Reports(Case):
    def reports(self, name):
        other = pod("z", owner="Job")
        other["metadata"]["namespace"] = "other"
        old = copy.deepcopy(NODE)
        old["metadata"] = {"name": "gpu-2", "labels": {"nvidia.com/mig.config": "all-1g.5gbb"}}
        self.write("all.json", json.dumps({"apiVersion": "v1", "kind": "List", "items": [NODE, old, pod("a"), other]}))
        return self.run_gpulint("check", "--no-config", "--format", name, "all.json").json()

    def test_one_report_for_each_namespace(self):
        reports = self.reports("openreports")
        self.assertEqual((reports["apiVersion"], reports["kind"]), ("v1", "List"))
        places = [(one["kind"], one["metadata"].get("namespace")) for one in reports["items"]]
        self.assertEqual([one for one in places if one[1]], [("Report", "other"), ("Report", "team")])
        self.assertTrue(all(kind == "ClusterReport" for kind, space in places if not space))
        for report in reports["items"]:
            results = [one["result"] for one in report["results"]]
            self.assertEqual(report["summary"], {"pass": 0, "fail": results.count("fail"), "warn": results.count("warn"), "error": 0, "skip": 0})

    def test_a_result_names_its_object(self):
        report = next(one for one in self.reports("openreports")["items"] if one["metadata"].get("namespace") == "team")
        result = next(one for one in report["results"] if one["policy"] == "untolerated-taint")
        self.assertEqual((result["result"], result["severity"], result["source"]), ("fail", "high", "gpulint"))
        self.assertEqual(result["resources"], [{"apiVersion": "v1", "kind": "Pod", "name": "a", "namespace": "team", "uid": "uid-a"}])

    def test_the_older_kind_is_the_same_but_for_its_name(self):
        new, old = self.reports("openreports")["items"], self.reports("policyreport")["items"]
        self.assertEqual([one["results"] for one in new], [one["results"] for one in old])
        self.assertEqual({one["apiVersion"] for one in old}, {"wgpolicyk8s.io/v1alpha2"})
        self.assertEqual({one["kind"] for one in old} - {"PolicyReport", "ClusterPolicyReport"}, set())
        self.assertFalse(any("source" in one for one in old))

    def test_without_findings_there_is_no_report(self):
        self.write("node.json", json.dumps({**NODE, "spec": {}}))
        ran = self.run_gpulint("check", "--no-config", "--format", "openreports", "--ignore", "placement", "node.json")
        self.assertEqual(ran.json()["items"], [])


if __name__ == "__main__":
    unittest.main()
