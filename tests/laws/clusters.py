"""Clusters made at random, as documents: nodes, and workloads that fit them. One cluster in three has a flaw."""
import random

import yaml

# What Nodes of one kind offer in all, with the labels of GPU Feature Discovery.
PRODUCTS = {"a100": ("NVIDIA-A100-SXM4-40GB", 40960), "h100": ("NVIDIA-H100-80GB-HBM3", 81559), "t4": ("Tesla-T4", 15360)}
TAINTS = [{"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}, {"key": "nvidia.com/gpu", "effect": "NoExecute"},
          {"key": "dedicated", "value": "gpu", "effect": "NoSchedule"}, {"key": "spot", "value": "true", "effect": "PreferNoSchedule"}]
ZONES = ["z-a", "z-b", "z-c"]
KINDS = ["Deployment", "Deployment", "Job", "Job", "Pod", "Pod", "StatefulSet", "DaemonSet"]


class Cluster:
    """The documents of one cluster; its namespace is its name."""

    def __init__(self, name, seed):
        self.name = name
        self.random = random.Random(f"{seed}/{name}")
        self.flaw = None
        self.objects = []
        self.kinds = [self.node_kind(index) for index in range(self.random.randint(1, 4))]
        for kind in self.kinds:
            self.objects += kind["nodes"]
        self.workloads = [self.workload(f"w{index}") for index in range(self.random.randint(1, 6))]
        self.objects += [workload["object"] for workload in self.workloads]
        for add in (self.add_quota, self.add_limit_range, self.add_priority, self.add_runtime_class, self.add_queue, self.add_volume,
                    self.add_spread, self.add_anti_affinity, self.add_affinity, self.add_host_port):
            if self.one_in(4):
                add(self.pick(self.workloads))
        if self.one_in(3):
            self.flaw = self.pick([name for name in dir(self) if name.startswith("break_")])
            getattr(self, self.flaw)(self.pick(self.workloads))
        self.random.shuffle(self.objects)

    def text(self):
        return "---\n".join(self.documents())

    def documents(self):
        return [yaml.dump(one, Dumper=Dumper, sort_keys=False) for one in self.objects]

    def places(self):
        """(workload, first line, last line) in the text."""
        by_object = {id(workload["object"]): workload for workload in self.workloads}
        line = 1
        for value, text in zip(self.objects, self.documents()):
            end = line + text.count("\n")
            if id(value) in by_object:
                yield by_object[id(value)], line, end - 1
            line = end + 1

    def one_in(self, count):
        return self.random.randrange(count) == 0

    def pick(self, choices):
        return self.random.choice(choices)

    # Nodes

    def node_kind(self, index):
        """Nodes that differ by their names, zones and cordons alone."""
        word = self.pick(["gpu", "gpu", "gpu", "mig", "amd", "cpu"]) if index else "gpu"
        pool = f"{word}-{index}"
        labels = {"pool": pool, "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64"}
        amounts = {"cpu": self.pick(["16", "64"]), "memory": self.pick(["64Gi", "256Gi"]), "pods": self.pick(["30", "110"])}
        count, resource = self.pick([1, 2, 4, 8]), None
        if word in ("gpu", "mig"):
            product, memory = PRODUCTS[self.pick(sorted(PRODUCTS)) if word == "gpu" else "a100"]
            labels |= {"nvidia.com/gpu.present": "true", "nvidia.com/gpu.product": product, "nvidia.com/gpu.memory": str(memory),
                       "nvidia.com/gpu.count": str(count)}
            resource = "nvidia.com/gpu"
        if word == "mig":
            labels |= {"nvidia.com/mig.strategy": "mixed", "nvidia.com/mig.config": "all-1g.5gb"}
            resource, count = "nvidia.com/mig-1g.5gb", count * 7
        if word == "amd":
            resource = "amd.com/gpu"
        taints = [dict(self.pick(TAINTS))] if self.one_in(2) and word != "cpu" else []
        kind = {"pool": pool, "labels": labels, "taints": taints, "resource": resource, "count": count, "cpu": int(amounts["cpu"])}
        if resource:
            amounts[resource] = str(count)
        kind["nodes"] = [self.node(f"{pool}-{number}", kind, amounts) for number in range(self.random.randint(1, 3))]
        return kind

    def node(self, name, kind, amounts):
        labels = {**kind["labels"], "kubernetes.io/hostname": name, "topology.kubernetes.io/zone": self.pick(ZONES)}
        spec = {"taints": [dict(taint) for taint in kind["taints"]]} if kind["taints"] else {}
        if self.one_in(12):
            spec["unschedulable"] = True
        return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": labels}, "spec": spec,
                "status": {"allocatable": dict(amounts)}}

    # Workloads

    def workload(self, name):
        """A workload that nodes of one kind admit."""
        home = self.pick(self.kinds)
        kind = self.pick(KINDS)
        container = {"name": "main", "image": "registry.example.com/train:1"}
        amounts = {"cpu": self.pick(["1", "2"]), "memory": self.pick(["1Gi", "4Gi"])} if self.one_in(2) else {}
        limits = {**amounts, **({home["resource"]: self.random.randint(1, min(home["count"], 2))} if home["resource"] else {})}
        if limits:
            container["resources"] = {"limits": limits}
        pod = {"containers": [container]}
        self.attract(pod, home)
        tolerations = [self.toleration(taint) for taint in home["taints"] if taint["effect"] != "PreferNoSchedule"]
        if self.one_in(8):
            tolerations.append({"key": "team", "operator": "Exists"})
        if tolerations:
            pod["tolerations"] = tolerations
        labels = {"app": name}
        metadata = {"name": name, "namespace": self.name}
        template = {"metadata": {"labels": labels}, "spec": pod}
        spec = {"selector": {"matchLabels": labels}, "template": template}
        version = "apps/v1"
        if kind in ("Deployment", "StatefulSet"):
            spec["replicas"] = self.random.randint(1, 2)
        if kind == "StatefulSet":
            spec["serviceName"] = name
        if kind == "Job":
            version, spec = "batch/v1", {"template": template}
            pod["restartPolicy"] = self.pick(["Never", "OnFailure"])
            if self.one_in(3):
                spec |= {"parallelism": 2, "completions": 2}
        if kind == "Pod":
            version, spec = "v1", pod
            metadata["labels"] = labels
        return {"object": {"apiVersion": version, "kind": kind, "metadata": metadata, "spec": spec},
                "pod": pod, "kind": kind, "home": home, "labels": labels, "name": name}

    def attract(self, pod, home):
        way = self.random.randrange(7)
        pool = home["pool"]
        if way == 0:
            pod["nodeSelector"] = {"pool": pool}
        elif way == 1 and "nvidia.com/gpu.product" in home["labels"]:
            pod["nodeSelector"] = {"nvidia.com/gpu.product": home["labels"]["nvidia.com/gpu.product"]}
        elif way == 2:
            self.require(pod, {"key": "pool", "operator": "In", "values": [pool, "other"]})
        elif way == 3:
            self.require(pod, {"key": "pool", "operator": "NotIn", "values": ["other"]})
        elif way == 4 and "nvidia.com/gpu.memory" in home["labels"]:
            self.require(pod, {"key": "nvidia.com/gpu.memory", "operator": "Gt", "values": ["8000"]})
        elif way == 5 and "nvidia.com/gpu.present" in home["labels"]:
            self.require(pod, {"key": "nvidia.com/gpu.present", "operator": "Exists"})

    @staticmethod
    def require(pod, expression):
        required = pod.setdefault("affinity", {}).setdefault("nodeAffinity", {}).setdefault(
            "requiredDuringSchedulingIgnoredDuringExecution", {"nodeSelectorTerms": [{"matchExpressions": []}]})
        required["nodeSelectorTerms"][0]["matchExpressions"].append(expression)

    def toleration(self, taint):
        toleration = {"key": taint["key"], "operator": "Exists"}
        if "value" in taint and self.one_in(2):
            toleration = {"key": taint["key"], "operator": "Equal", "value": taint["value"]}
        return {**toleration, "effect": taint["effect"]} if self.one_in(2) else toleration

    # What stands around them

    def add(self, api_version, kind, name, namespaced=True, **fields):
        metadata = {"name": name, **({"namespace": self.name} if namespaced else {})}
        value = {"apiVersion": api_version, "kind": kind, "metadata": metadata, **fields}
        self.objects.append(value)
        return value

    def found(self, kind):
        return [one for one in self.objects if one["kind"] == kind]

    @staticmethod
    def amounts(workload):
        return workload["pod"]["containers"][0].setdefault("resources", {}).setdefault("limits", {})

    def add_quota(self, _):
        hard = {"requests.nvidia.com/gpu": "64", "pods": "50"}
        if self.one_in(3):  # a quota of `cpu` rejects containers that do not set it
            hard["requests.cpu"] = "400"
            for workload in self.workloads:
                self.amounts(workload)["cpu"] = "1"
        self.add("v1", "ResourceQuota", "quota", spec={"hard": hard})

    def add_limit_range(self, _):
        self.add("v1", "LimitRange", "limits", spec={"limits": [
            {"type": "Container", "max": {"nvidia.com/gpu": "8", "cpu": "64"}, "default": {"cpu": "1"}}]})

    def add_priority(self, workload):
        self.add("scheduling.k8s.io/v1", "PriorityClass", f"{self.name}-high", False, value=1000)
        workload["pod"]["priorityClassName"] = f"{self.name}-high"

    def add_runtime_class(self, workload):
        home = workload["home"]
        scheduling = {"nodeSelector": {"pool": home["pool"]}}
        if home["taints"] and self.one_in(2):
            scheduling["tolerations"] = [{"key": home["taints"][0]["key"], "operator": "Exists"}]
            workload["pod"].pop("tolerations", None)
        self.add("node.k8s.io/v1", "RuntimeClass", "runtime", False, handler="nvidia", scheduling=scheduling)
        workload["pod"]["runtimeClassName"] = "runtime"

    def add_queue(self, workload):
        if workload["kind"] != "Job" or workload["home"]["resource"] is None:
            return
        home = workload["home"]
        flavor = {"nodeLabels": {"pool": home["pool"]}}
        if home["taints"] and self.one_in(2):
            flavor["tolerations"] = [{"key": home["taints"][0]["key"], "operator": "Exists"}]
        covered = sorted({home["resource"], *self.amounts(workload)})
        self.add("kueue.x-k8s.io/v1beta1", "ResourceFlavor", "flavor", False, spec=flavor)
        self.add("kueue.x-k8s.io/v1beta1", "ClusterQueue", "cluster-queue", False, spec={"namespaceSelector": {}, "resourceGroups": [
            {"coveredResources": covered, "flavors": [{"name": "flavor", "resources": [
                {"name": name, "nominalQuota": "640Gi" if name == "memory" else 640} for name in covered]}]}]})
        self.add("kueue.x-k8s.io/v1beta1", "LocalQueue", "queue", spec={"clusterQueue": "cluster-queue"})
        workload["object"]["metadata"]["labels"] = {"kueue.x-k8s.io/queue-name": "queue"}
        workload["object"]["spec"]["suspend"] = True

    def add_volume(self, workload):
        zones = [node["metadata"]["labels"]["topology.kubernetes.io/zone"] for node in workload["home"]["nodes"]
                 if "unschedulable" not in node["spec"]]
        self.add("v1", "PersistentVolume", f"{self.name}-volume", False, spec={
            "capacity": {"storage": "2Gi"}, "accessModes": ["ReadWriteOnce"], "csi": {"driver": "ebs.csi.aws.com", "volumeHandle": "v"},
            "nodeAffinity": {"required": {"nodeSelectorTerms": [{"matchExpressions": [
                {"key": "topology.kubernetes.io/zone", "operator": "In", "values": [self.pick(zones or ZONES)]}]}]}}})
        self.add("v1", "PersistentVolumeClaim", "claim", spec={
            "accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "2Gi"}}, "volumeName": f"{self.name}-volume"})
        workload["pod"]["volumes"] = [{"name": "data", "persistentVolumeClaim": {"claimName": "claim"}}]

    def add_spread(self, workload, hard=False):
        key = self.pick(["topology.kubernetes.io/zone", "kubernetes.io/hostname"])
        workload["pod"]["topologySpreadConstraints"] = [{
            "maxSkew": 1 if hard else self.pick([1, 3]), "topologyKey": key, "labelSelector": {"matchLabels": workload["labels"]},
            "whenUnsatisfiable": "DoNotSchedule" if hard or self.one_in(2) else "ScheduleAnyway"}]

    def add_anti_affinity(self, workload):
        workload["pod"].setdefault("affinity", {})["podAntiAffinity"] = {"requiredDuringSchedulingIgnoredDuringExecution": [
            {"topologyKey": "kubernetes.io/hostname", "labelSelector": {"matchLabels": workload["labels"]}}]}

    def add_affinity(self, workload):
        """To a pod that is bound to a node of the same kind."""
        node = self.pick(workload["home"]["nodes"])["metadata"]
        pod = self.add("v1", "Pod", "home", spec={"nodeName": node["name"], "containers": [{"name": "main", "image": "registry.example.com/home:1"}]})
        pod["metadata"]["labels"] = {"app": "home"}
        workload["pod"].setdefault("affinity", {})["podAffinity"] = {"requiredDuringSchedulingIgnoredDuringExecution": [
            {"topologyKey": "kubernetes.io/hostname", "labelSelector": {"matchLabels": {"app": "home"}}}]}

    def add_host_port(self, workload):
        workload["pod"]["containers"][0]["ports"] = [{"containerPort": 8080, "hostPort": 8080}]

    # Flaws

    def break_toleration(self, workload):
        workload["pod"].pop("tolerations", None)
        for node in workload["home"]["nodes"]:
            node["spec"]["taints"] = [{"key": "reserved", "value": "x", "effect": "NoSchedule"}]
        workload["pod"]["nodeSelector"] = {"pool": workload["home"]["pool"]}

    def break_selector(self, workload):
        workload["pod"].setdefault("nodeSelector", {})["pool"] = self.pick(["none-such", "gpu"])

    def break_affinity(self, workload):
        self.require(workload["pod"], self.pick([
            {"key": "nvidia.com/gpu.product", "operator": "In", "values": ["NVIDIA-L4"]}, {"key": "pool", "operator": "DoesNotExist"},
            {"key": "nvidia.com/gpu.memory", "operator": "Gt", "values": ["90000"]},
            {"key": "nvidia.com/gpu.memory", "operator": "Gt", "values": ["40Gi"]}, {"key": "team", "operator": "Exists"}]))

    def break_amount(self, workload):
        name, value = self.pick([("nvidia.com/gpu", 16), ("cpu", "300"), ("memory", "2Ti"), ("nvidia.com/gpu", "500m"), ("nvidia.com/mig-7g.40gb", 1)])
        self.amounts(workload)[name] = value

    def break_quota(self, workload):
        self.add("v1", "ResourceQuota", "small", spec={"hard": self.pick([
            {"requests.nvidia.com/gpu": "0"}, {"requests.cpu": "1"}, {"pods": "0"}, {"limits.memory": "1Gi"}])})
        self.amounts(workload)["nvidia.com/gpu"] = 1

    def break_limit_range(self, _):
        self.add("v1", "LimitRange", "small", spec={"limits": [{"type": self.pick(["Container", "Pod"]), "max": self.pick([
            {"nvidia.com/gpu": "1"}, {"cpu": "500m"}, {"memory": "512Mi"}])}]})

    def break_runtime_class(self, workload):
        selector = {"pool": self.pick(["none-such", self.pick(self.kinds)["pool"]])}
        self.add("node.k8s.io/v1", "RuntimeClass", "elsewhere", False, handler="nvidia", scheduling={"nodeSelector": selector})
        workload["pod"]["runtimeClassName"] = self.pick(["elsewhere", "missing"])

    def break_queue(self, _):
        for queue in self.found("ClusterQueue"):
            queue["spec"]["resourceGroups"][0]["flavors"][0]["resources"][0]["nominalQuota"] = 0
        for flavor in self.found("ResourceFlavor"):
            if self.one_in(2):
                flavor["spec"] = {"nodeLabels": {"pool": "none-such"}}

    def break_node_name(self, workload):
        workload["pod"]["nodeName"] = self.pick([*(kind["nodes"][0]["metadata"]["name"] for kind in self.kinds), "no-such-node"])

    def break_spread(self, workload):
        self.add_spread(workload, hard=True)
        workload["object"]["spec"]["replicas" if workload["kind"] in ("Deployment", "StatefulSet") else "paused"] = 9
        workload["object"]["spec"].pop("paused", None)

    def break_anti_affinity(self, workload):
        self.add_anti_affinity(workload)
        if workload["kind"] in ("Deployment", "StatefulSet"):
            workload["object"]["spec"]["replicas"] = 9

    def break_host_port(self, workload):
        self.add_host_port(workload)
        if workload["kind"] in ("Deployment", "StatefulSet"):
            workload["object"]["spec"]["replicas"] = 9

    def break_cordon(self, workload):
        for node in workload["home"]["nodes"]:
            node["spec"]["unschedulable"] = True

    def break_volume(self, workload):
        self.add_volume(workload)
        volume = self.found("PersistentVolume")[-1]["spec"]["nodeAffinity"]["required"]
        volume["nodeSelectorTerms"][0]["matchExpressions"][0]["values"] = [self.pick(["z-x", *ZONES])]

    def break_pod_affinity(self, workload):
        self.add_affinity(workload)
        node = self.pick([node for kind in self.kinds for node in kind["nodes"]])
        self.found("Pod")[-1]["spec"]["nodeName"] = node["metadata"]["name"]

    def break_daemons(self, workload):
        name = "agent"
        self.add("apps/v1", "DaemonSet", name, spec={"selector": {"matchLabels": {"app": name}}, "template": {
            "metadata": {"labels": {"app": name}}, "spec": {"tolerations": [{"operator": "Exists"}], "containers": [
                {"name": "main", "image": "registry.example.com/agent:1", "resources": {"requests": {"cpu": str(workload["home"]["cpu"] - 1)}}}]}}})
        self.amounts(workload)["cpu"] = "4"

    def break_toleration_value(self, workload):
        workload["pod"].setdefault("tolerations", []).append(self.pick([
            {"key": "nvidia.com/gpu", "operator": "Exists", "value": "present"}, {"key": "nvidia.com/gpu", "operator": "Equals", "value": "present"}]))


class Dumper(yaml.CSafeDumper):
    """Without aliases: no one writes them here."""

    def ignore_aliases(self, data):
        return True


def make_clusters(count, seed):
    return [Cluster(f"c{index}", seed) for index in range(count)]
