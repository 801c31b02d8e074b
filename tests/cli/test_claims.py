"""Pods that claim devices (DRA) are placed where ResourceSlices say that there are some (docs/dra.md)."""
from support import Case

CLASS = """\
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu.nvidia.com}
spec: {selectors: [{cel: {expression: "device.driver == 'gpu.nvidia.com'"}}]}
"""
CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: gpus}
spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.nvidia.com, count: 2}}]}}
"""
POD = """\
apiVersion: v1
kind: Pod
metadata: {name: train}
spec:
  resourceClaims: [{name: gpus, resourceClaimName: gpus}]
  containers: [{name: main, image: x, resources: {claims: [{name: gpus}]}}]
"""


def node(name):
    return f'apiVersion: v1\nkind: Node\nmetadata: {{name: {name}, labels: {{rack: r{name[-1]}}}}}\nstatus: {{allocatable: {{cpu: "8"}}}}\n'


def devices(count):
    return "devices: [" + ", ".join(f"{{name: gpu-{i}}}" for i in range(count)) + "]"


def resource_slice(name, where, what, total=1):
    return (f"apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {{name: {name}}}\nspec:\n  driver: gpu.nvidia.com\n"
            f"  {where}\n  pool: {{name: {name}, generation: 1, resourceSliceCount: {total}}}\n  {what}\n")


class ClaimsTest(Case):
    def fits(self, *documents):
        """What `place` says of the pod, by node."""
        self.write("all.yaml", "---\n".join(documents))
        answers = self.run_gpulint("place", "--format", "json", "all.yaml").json()["results"]
        return {one["node"]: one["fits"] for one in answers}

    def test_a_node_serves_the_claims_that_its_devices_suffice_for(self):
        slices = [resource_slice("a", "nodeName: n1", devices(1)), resource_slice("b", "nodeName: n2", devices(2))]
        self.assertEqual(self.fits(node("n1"), node("n2"), CLASS, CLAIM, POD, *slices), {"n1": False, "n2": True})

    def test_devices_that_several_nodes_reach_are_found_by_label(self):
        selector = "nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: rack, operator: In, values: [r1]}]}]}"
        slices = [resource_slice("shared", selector, devices(2)), resource_slice("b", "nodeName: n2", devices(1))]
        self.assertEqual(self.fits(node("n1"), node("n2"), CLASS, CLAIM, POD, *slices), {"n1": True, "n2": False})

    def test_what_is_not_known_is_never_refused(self):
        one = resource_slice("a", "nodeName: n1", devices(1))
        cases = {
            "no slices at all": [CLASS, CLAIM],
            "another node's": [CLASS, CLAIM, resource_slice("b", "nodeName: n2", devices(1))],
            "a slice is missing": [CLASS, CLAIM, resource_slice("a", "nodeName: n1", devices(1), 2)],
            "no class": [CLAIM, one],
            "no claim": [CLASS, one],
            "another namespace": [CLASS, CLAIM.replace("{name: gpus}", "{name: gpus, namespace: other}", 1), one],
            "allocated already": [CLASS, CLAIM + "status: {allocation: {}}\n", one],
            "another driver's slices": [CLASS.replace("gpu.nvidia.com'", "other.example.com'"), CLAIM, one],
            "templated": [CLASS, CLAIM.replace("count: 2", 'count: "{{ .Values.count }}"'), one],
        }
        for why, documents in cases.items():
            with self.subTest(why):
                self.assertNotEqual(self.fits(node("n1"), POD, *documents), {"n1": False})
        self.assertEqual(self.fits(node("n1"), POD, CLASS, CLAIM, one), {"n1": False})

    def test_nodes_without_slices_stay_one_column(self):
        self.write("all.yaml", "---\n".join([node("n1"), node("m1"), CLASS, CLAIM, POD]))
        self.assertIn("+1", self.run_gpulint("place", "all.yaml").out)

    def test_check_and_why_tell_the_claim(self):
        self.write("all.yaml", "---\n".join([node("n1"), CLASS, CLAIM, POD, resource_slice("a", "nodeName: n1", devices(1))]))
        self.assertIn("unallocatable-claims", self.check("all.yaml").out)
        self.assertIn("has no devices for the claims: gpus", self.run_gpulint("why", "all.yaml").out)
