"""Pods that claim devices (DRA) are placed where ResourceSlices say that there are some (docs/reference/dra.md)."""
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


COUNTING = """\
apiVersion: v1
kind: Pod
metadata: {name: train}
spec:
  containers: [{name: main, image: x, resources: {limits: {RESOURCE: 2}}}]
"""
DOMAIN = """\
apiVersion: resource.nvidia.com/v1beta1
kind: ComputeDomain
metadata: {name: train}
spec: {numNodes: 0, channel: {resourceClaimTemplate: {name: train-channel}}}
"""
CHANNELS = """\
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: compute-domain-default-channel.nvidia.com}
spec: {selectors: [{cel: {expression: "device.driver == 'gpu.nvidia.com'"}}]}
"""


def counted(name, offer=""):
    return f'apiVersion: v1\nkind: Node\nmetadata: {{name: {name}}}\nstatus: {{allocatable: {{cpu: "8"{offer}}}}}\n'


def backing(name, created="", resource="nvidia.com/gpu", driver="gpu.nvidia.com"):
    return (f'apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {{name: {name}{created}}}\nspec:\n'
            f'  extendedResourceName: {resource}\n  selectors: [{{cel: {{expression: "device.driver == \'{driver}\'"}}}}]\n')


def allocated(name, pod=""):
    owner = f", ownerReferences: [{{kind: Pod, name: {pod}}}]" if pod else ""
    return (f"apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {{name: {name}{owner}}}\nstatus:\n  allocation:\n"
            f"    devices: {{results: [{{request: gpu, driver: gpu.nvidia.com, pool: a, device: gpu-0}}]}}\n")


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
        self.assertIn("does not have the devices of the claims: gpus", self.run_gpulint("why", "all.yaml").out)

    def test_devices_of_a_class_serve_its_resource(self):
        pod = COUNTING.replace("RESOURCE", "nvidia.com/gpu")
        slices = [resource_slice("a", "nodeName: n1", devices(1)), resource_slice("b", "nodeName: n2", devices(2))]
        nodes = [counted("n1"), counted("n2"), counted("n3", ', nvidia.com/gpu: "2"'), counted("n4", ', nvidia.com/gpu: "1"')]
        self.assertEqual(self.fits(*nodes, backing("gpus"), pod, *slices), {"n1": False, "n2": True, "n3": True, "n4": False})
        by_name = COUNTING.replace("RESOURCE", "deviceclass.resource.kubernetes.io/gpu.nvidia.com")
        self.assertEqual(self.fits(*nodes[:2], CLASS, by_name, *slices), {"n1": False, "n2": True})
        # Without the class nobody offers it.
        self.assertEqual(self.fits(*nodes[:2], CLASS, pod, *slices), {"n1": False, "n2": False})

    def test_the_younger_class_of_a_resource_serves(self):
        pod = COUNTING.replace("RESOURCE", "nvidia.com/gpu")
        one = resource_slice("a", "nodeName: n1", devices(2))
        old = ', creationTimestamp: "2026-01-01T00:00:00Z"'
        young = ', creationTimestamp: "2026-02-01T00:00:00Z"'
        other = {"driver": "other.example.com"}
        more = resource_slice("b", "nodeName: n1", devices(1)).replace("driver: gpu.nvidia.com", "driver: other.example.com")
        self.assertEqual(self.fits(counted("n1"), backing("a", old), backing("b", young, **other), pod, one, more), {"n1": False})
        self.assertEqual(self.fits(counted("n1"), backing("a", young), backing("b", old, **other), pod, one, more), {"n1": True})
        self.assertEqual(self.fits(counted("n1"), backing("a"), backing("b", **other), pod, one, more), {"n1": None})

    def test_what_other_claims_have_got_is_not_certain(self):
        one = resource_slice("a", "nodeName: n1", devices(2))
        fits = [self.fits(node("n1"), CLASS, CLAIM, POD, one, other) for other in (
            allocated("other"), allocated("own", pod="train"), allocated("other").replace("pool: a", "pool: elsewhere"))]
        self.assertEqual(fits, [{"n1": None}, {"n1": True}, {"n1": True}])

    def test_a_device_in_use_ends_an_alternative_of_all(self):
        # Kubernetes 1.37 (dynamic-resource-allocation/structured 0.37.1) gives r1/one the device of pool b.
        pools = [resource_slice(name, "allNodes: true", f"devices: [{{name: d, attributes: {{model: {{string: {name}}}}}}}]")
                 for name in "ab"]
        claim = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: gpus}
spec:
  devices:
    requests:
    - name: r1
      firstAvailable:
      - {name: all, deviceClassName: gpu.nvidia.com, allocationMode: All}
      - {name: one, deviceClassName: gpu.nvidia.com, allocationMode: ExactCount, count: 1}
    constraints: [{matchAttribute: gpu.nvidia.com/model}]
"""
        held = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: held}
spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: gpu.nvidia.com}}]}}
status: {allocation: {devices: {results: [{request: r0, driver: gpu.nvidia.com, pool: a, device: d}]}}}
"""
        self.assertEqual(self.fits(node("n1"), CLASS, claim, POD, *pools), {"n1": False})
        self.assertEqual(self.fits(node("n1"), CLASS, claim, POD, *pools, held), {"n1": True})

    def test_a_taint_rule_keeps_devices_from_claims(self):
        rule = "apiVersion: resource.k8s.io/v1\nkind: DeviceTaintRule\nmetadata: {name: r}\nspec:\n  taint: {key: repair, effect: NoSchedule}\n"
        one = resource_slice("a", "nodeName: n1", devices(2))
        fits = [self.fits(node("n1"), CLASS, CLAIM, POD, one, rule + f"  deviceSelector: {{{selector}}}\n")
                for selector in ("", "device: gpu-1", "device: gpu-7", "driver: gpu.nvidia.com, pool: a", "pool: b")]
        self.assertEqual(fits, [{"n1": answer} for answer in (False, False, True, False, True)])
        self.assertEqual(self.fits(node("n1"), CLASS, CLAIM, POD, one, rule), {"n1": True})

    def test_a_compute_domain_makes_the_template_of_its_channels(self):
        pod = POD.replace("resourceClaimName: gpus", "resourceClaimTemplateName: train-channel")
        slices = [resource_slice("a", "nodeName: n1", devices(1))]
        tainted = [slices[0].replace("{name: gpu-0}", "{name: gpu-0, taints: [{key: broken, effect: NoSchedule}]}")]
        self.assertEqual(self.fits(node("n1"), CHANNELS, DOMAIN, pod, *slices), {"n1": True})
        self.assertEqual(self.fits(node("n1"), CHANNELS, DOMAIN, pod, *tainted), {"n1": False})
        self.assertEqual(self.fits(node("n1"), CHANNELS, DOMAIN.replace("train-channel", "other"), pod, *tainted), {"n1": None})
