"""Random questions about claims: a node, its devices in slices, classes, and what a pod claims."""
import random

DRIVERS = ["gpu.nvidia.com", "dra.example.com"]
NODE = "node-1"
ROOT = "resource.kubernetes.io/pcieRoot"


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def pick(self, items):
        return self.random.choice(items)

    def chance(self, share):
        return self.random.random() < share

    def some(self, least, most, make):
        return [make(i) for i in range(self.random.randint(least, most))]

    # Slices.
    def nodes(self, holder, per_device):
        roll = self.random.random()
        if roll < 0.72:
            holder["nodeName"] = NODE
        elif roll < 0.8:
            holder["nodeName"] = "node-2"
        elif roll < 0.9 or (per_device and roll < 0.95):
            holder["allNodes"] = True
        else:
            operator = self.pick(["In", "In", "NotIn", "Exists"])
            requirement = {"key": self.pick(["zone", "gpu"]), "operator": operator}
            if operator != "Exists":
                requirement["values"] = [self.pick(["a", "b"])]
            holder["nodeSelector"] = {"nodeSelectorTerms": [{"matchExpressions": [requirement]}]}

    def capacity(self, shared):
        value = self.pick([10, 40, 80])
        entry = {"value": f"{value}Gi"}
        if not shared or self.chance(0.3):
            return entry
        roll = self.random.random()
        if roll < 0.4:
            entry["requestPolicy"] = {"default": "10Gi", "validValues": ["10Gi", "20Gi", "40Gi"]}
        elif roll < 0.8:
            entry["requestPolicy"] = {"default": "5Gi", "validRange": {"min": "5Gi", **self.pick([{}, {"step": "5Gi"}]), **self.pick([{}, {"max": "30Gi"}])}}
        else:
            entry["requestPolicy"] = {"default": "1Gi"}
        return entry

    def device(self, index, driver, per_device, counters):
        device = {"name": f"dev-{index}" if self.chance(0.99) else "dev-0", "attributes": {
            "type": {"string": self.pick(["gpu", "gpu", "mig"])}, "model": {"string": self.pick(["A100", "H100"])}, "index": {"int": index}}}
        if self.chance(0.8):
            device["attributes"][ROOT] = {"string": self.pick(["pci0000:00", "pci0000:80"])}
        if self.chance(0.4):
            device["attributes"][self.pick(["", driver + "/"]) + "numa"] = self.pick([{"int": 0}, {"int": 1}, {"string": "0"}, {"bool": True}, {"version": "1.0.0"}])
        shared = self.chance(0.2)
        if shared:
            device["allowMultipleAllocations"] = True
        if self.chance(0.6):
            device["capacity"] = {"memory": self.capacity(shared)}
            if self.chance(0.2):
                device["capacity"]["cores"] = self.capacity(shared)
        if self.chance(0.12):
            device["taints"] = [{"key": self.pick(["maintenance", "broken"]), "effect": self.pick(["NoSchedule", "NoExecute", "None"]),
                                 **self.pick([{}, {"value": "yes"}])}]
        if per_device:
            self.nodes(device, True)
        if counters and self.chance(0.7):
            device["consumesCounters"] = [{"counterSet": self.pick(counters + (["nowhere"] if self.chance(0.02) else [])),
                                           "counters": {"memory": {"value": self.pick(["10Gi", "20Gi", "40Gi"])},
                                                        **self.pick([{}, {}, {"slots": {"value": self.pick(["1", "3"])}}])}}]
        if self.chance(0.02):
            device["bindingConditions"] = ["ready"]
            device["bindingFailureConditions"] = ["failed"]
        return device

    def slices(self):
        made = []
        for driver in self.random.sample(DRIVERS, self.random.randint(1, 2)):
            for pool in range(self.random.randint(1, 2)):
                made += self.pool(driver, f"pool-{pool}")
        self.random.shuffle(made)
        return made

    def pool(self, driver, name):
        generation = self.random.randint(1, 2)
        counters = [f"gpu-{i}" for i in range(self.random.randint(1, 2))] if self.chance(0.3) else []
        made = []
        first = 0
        count = self.random.randint(1, 2)
        for index in range(count):
            per_device = self.chance(0.12)
            spec = {"driver": driver, "pool": {"name": name, "generation": generation}}
            if per_device:
                spec["perDeviceNodeSelection"] = True
            else:
                self.nodes(spec, False)
            spec["devices"] = self.some(1, 6, lambda i: self.device(first + i, driver, per_device, counters))
            first += len(spec["devices"])
            made.append({"metadata": {"name": f"{driver}-{name}-{self.pick('abcdef')}{index}"}, "spec": spec})
        if counters:
            spec = {"driver": driver, "pool": {"name": name, "generation": generation}, "sharedCounters": [
                {"name": counter, "counters": {"memory": {"value": self.pick(["40Gi", "20Gi"])}, "slots": {"value": self.pick(["7", "3"])}}}
                for counter in counters]}
            self.nodes(spec, False)
            made.append({"metadata": {"name": f"{driver}-{name}-counters"}, "spec": spec})
        total = len(made) + (1 if self.chance(0.015) else 0)
        for one in made:
            one["spec"]["pool"]["resourceSliceCount"] = total
        if self.chance(0.08):
            old = {"metadata": {"name": f"{driver}-{name}-old"}, "spec": {"driver": driver, "pool": {
                "name": name, "generation": self.pick([0, 3]), "resourceSliceCount": 1}, "devices": [self.device(99, driver, False, [])]}}
            self.nodes(old["spec"], False)
            made.append(old)
        return made

    # What rules and other claims do to devices.
    def rule(self, index):
        selector = {}
        if self.chance(0.7):
            selector["driver"] = self.pick(DRIVERS)
        if self.chance(0.4):
            selector["pool"] = f"pool-{self.random.randint(0, 1)}"
        if self.chance(0.6):
            selector["device"] = f"dev-{self.random.randint(0, 5)}"
        spec = {"taint": {"key": self.pick(["maintenance", "broken"]), "effect": self.pick(["NoSchedule", "NoExecute", "None"])}}
        if self.chance(0.9):
            spec["deviceSelector"] = selector
        return {"metadata": {"name": f"rule-{index}"}, "spec": spec}

    def allocated(self, slices):
        results = []
        for one in slices:
            for device in one["spec"].get("devices", []):
                if not self.chance(0.25):
                    continue
                result = {"request": "r0", "driver": one["spec"]["driver"], "pool": one["spec"]["pool"]["name"], "device": device["name"]}
                if self.chance(0.05):
                    result["adminAccess"] = True
                elif device.get("allowMultipleAllocations") and self.chance(0.9):
                    result["shareID"] = f"00000000-0000-0000-0000-{len(results):012}"
                    if device.get("capacity") and self.chance(0.8):
                        result["consumedCapacity"] = {name: self.pick(["5Gi", "10Gi", "20Gi"]) for name in device["capacity"]}
                results.append(result)
        return [{"metadata": {"name": f"held-{i}", "namespace": "default"}, "status": {"allocation": {"devices": {"results": results[i::2]}}}}
                for i in range(2) if results[i::2]]

    # Claims.
    def selector(self, driver):
        domain = f"device.attributes['{driver}']"
        return {"cel": {"expression": self.pick([
            f"{domain}.model == '{self.pick(['A100', 'H100'])}'", f"{domain}.type == 'gpu'", f"{domain}.index {self.pick(['<', '>='])} {self.random.randint(1, 3)}",
            f"{domain}.index in [0, 2, 3]", f"device.capacity['{driver}'].?memory.orValue(quantity('0')).compareTo(quantity('40Gi')) >= 0",
            f"has({domain}.numa)", "true", f"device.driver == '{driver}'",
            f"{domain}.missing == 1" if self.chance(0.05) else "true"])}}

    def klass(self, index):
        driver = self.pick(self.drivers)
        selectors = [{"cel": {"expression": f"device.driver == '{driver}'"}}]
        if self.chance(0.3):
            selectors.append({"cel": {"expression": f"device.attributes['{driver}'].type == '{self.pick(['gpu', 'mig'])}'"}})
        return {"metadata": {"name": f"class-{index}"}, "spec": {"selectors": selectors if self.chance(0.93) else []}}, driver

    def wanted(self, exact):
        klass, driver = self.pick(self.classes)
        wanted = {"deviceClassName": klass["metadata"]["name"] if self.chance(0.997) else "nowhere"}
        if self.chance(0.5):
            wanted["selectors"] = self.some(1, 2, lambda _: self.selector(driver))
        roll = self.random.random()
        if roll < 0.1:
            wanted["allocationMode"] = "All"
        elif roll < 0.55:
            wanted |= {"allocationMode": "ExactCount", "count": self.pick([1, 1, 1, 2, 2, 3]) if self.chance(0.97) else self.pick([4, 17, 33])}
        if exact and self.chance(0.05):
            wanted["adminAccess"] = self.chance(0.8)
        if self.chance(0.2):
            wanted["tolerations"] = [self.pick([{"operator": "Exists"}, {"key": "maintenance", "operator": "Exists"},
                                                {"key": "broken", "value": "yes"}, {"key": "broken", "operator": "Exists", "effect": "NoSchedule"}])]
        if self.chance(0.12):
            wanted["capacity"] = {"requests": {self.pick(["memory", "memory", "cores"]): self.pick(["1Gi", "5Gi", "12Gi", "20Gi", "50Gi"])}}
        return wanted

    def request(self, index):
        name = f"r{index}"
        if self.chance(0.2):
            return {"name": name, "firstAvailable": self.some(1, 3, lambda i: {"name": f"s{i}", **self.wanted(False)})}
        return {"name": name, "exactly": self.wanted(True)}

    def constraint(self, requests):
        names = [request["name"] for request in requests]
        names += [f"{request['name']}/s0" for request in requests if "firstAvailable" in request]
        constraint = {self.pick(["matchAttribute", "matchAttribute", "distinctAttribute"]):
                      self.pick([ROOT, "gpu.nvidia.com/model", "gpu.nvidia.com/numa", "dra.example.com/numa", "dra.example.com/index"])}
        if self.chance(0.5):
            constraint["requests"] = self.random.sample(names, self.random.randint(1, len(names)))
        return constraint

    def claim(self, index):
        requests = self.some(1, 3, self.request)
        devices = {"requests": requests}
        if self.chance(0.4):
            devices["constraints"] = self.some(1, 2, lambda _: self.constraint(requests))
        return {"metadata": {"name": f"claim-{index}", "namespace": "default"}, "spec": {"devices": devices}}

    def question(self):
        slices = self.slices()
        self.drivers = sorted({one["spec"]["driver"] for one in slices})
        self.classes = self.some(1, 3, self.klass)
        labels = {key: self.pick(["a", "b"]) for key in ("zone", "gpu") if self.chance(0.7)}
        question = {"node": {"metadata": {"name": NODE, "labels": labels}}, "slices": slices,
                    "classes": [klass for klass, _ in self.classes], "claims": self.some(1, 2, self.claim)}
        if self.chance(0.2):
            question["rules"] = self.some(1, 2, self.rule)
        if self.chance(0.4):
            question["allocated"] = self.allocated(slices)
        return question
