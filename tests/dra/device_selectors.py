"""Random questions about device selectors: an expression and a device that it is compared with."""
import json
import random

DOMAINS = ["gpu.nvidia.com", "dra.example.com", "resource.kubernetes.io"]
# What devices really publish, and what their authors mistake it for.
STRINGS = ["NVIDIA A100-SXM4-40GB", "NVIDIA H100 80GB HBM3", "gpu", "mig", "1g.5gb", "A100", "", "GPU-1f9c", "größe", "pci0000:00"]
VERSIONS = ["1.2.3", "0.1.0", "9.0.0", "12.4.0", "550.90.7", "1.0.0-alpha.1", "1.0.0-rc.2+b7", "2.0.0+x"]
BAD_VERSIONS = ["v1.2", "1.2", "01.2.3", "", "1.2.3-", "v01.02.3-01", "1.02.3", "a.b.c"]
QUANTITIES = ["40Gi", "80Gi", "0", "1", "500m", "1e3", "10k", "1.5Gi", "128Mi", "40960Mi", "-1", "100n"]
BAD_QUANTITIES = ["40GB", "", " 1", "Gi", "1,5", "1 Gi"]
INTS = [0, 1, 2, 7, 8, 9, 40, -1, 108, 1024, 2**31, 2**63 - 1, -(2**63)]
NAMES = {"type": "string", "productName": "string", "uuid": "string", "index": "int", "cores": "int", "healthy": "bool",
         "cudaComputeCapability": "version", "driverVersion": "version", "lists": "ints", "tags": "strings", "versions": "versions",
         "odd": None, "missing": "none"}
CAPACITIES = ["memory", "multiprocessors", "decoders", "missingMemory"]
REGEXES = ["^NVIDIA", "A100|H100", "[0-9]+g", "(?i)a100", ".*40GB$", "^$", "\\\\d+", "[a", "(", "a{2,1}"]
KINDS = ["bool", "int", "string", "version", "quantity", "double", "ints", "strings"]


def quoted(text):
    return json.dumps(text, ensure_ascii=False) if "'" in text else "'" + text + "'"


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.variables = []

    def pick(self, items):
        return self.random.choice(items)

    def chance(self, share):
        return self.random.random() < share

    # Devices.
    def attribute(self, kind):
        if kind is None:
            kind = self.pick(["string", "int", "bool", "version"])
        return {
            "string": lambda: {"string": self.pick(STRINGS)},
            "int": lambda: {"int": self.pick(INTS)},
            "bool": lambda: {"bool": self.chance(0.5)},
            "version": lambda: {"version": self.pick(VERSIONS)},
            "ints": lambda: {"ints": [self.pick(INTS) for _ in range(self.random.randint(1, 3))]},
            "strings": lambda: {"strings": [self.pick(STRINGS) for _ in range(self.random.randint(1, 3))]},
            "versions": lambda: {"versions": [self.pick(VERSIONS) for _ in range(self.random.randint(1, 2))]},
        }[kind]()

    def device(self):
        driver = self.pick(DOMAINS[:2])
        device = {"driver": driver, "attributes": {}, "capacity": {}}
        for name, kind in NAMES.items():
            if kind == "none" or self.chance(0.15):
                continue
            domain = self.pick(["", "", "", "", driver + "/", "resource.kubernetes.io/"])
            device["attributes"][domain + name] = self.attribute(kind)
        if self.chance(0.01):
            device["attributes"]["broken"] = {"version": self.pick(BAD_VERSIONS)}
        for name in CAPACITIES[:3]:
            if self.chance(0.7):
                device["capacity"][self.pick(["", driver + "/"]) + name] = {"value": self.pick(QUANTITIES)}
        if self.chance(0.2):
            device["allowMultipleAllocations"] = self.chance(0.5)
        return device

    # Expressions. Each asks for a kind; what comes may be of any where the type is only known when it runs.
    def domain(self):
        return quoted(self.asked["driver"] if self.chance(0.93) else self.pick(DOMAINS))

    def known_names(self, kind):
        """Attributes that the device surely has, and has of that kind."""
        kinds = {"bool": "bool", "int": "int", "string": "string", "version": "version", "ints": "ints", "strings": "strings"}
        driver = self.asked["driver"] + "/"
        return [name.removeprefix(driver) for name, value in self.asked["attributes"].items()
                if kinds.get(kind) in value and "/" not in name.removeprefix(driver)]

    def attribute_map(self):
        bound = [name for name, kind in self.variables if kind == "attributes"]
        if bound and self.chance(0.6):
            return self.pick(bound)
        return f"device.attributes[{self.domain()}]"

    def access(self, kind):
        names = [name for name, own in NAMES.items() if own in (kind, None, "none")] or list(NAMES)
        name = self.pick(self.known_names(kind) or names if self.chance(0.95) else list(NAMES))
        roll = self.random.random()
        if roll < 0.75:
            return f"{self.attribute_map()}.{name}"
        if roll < 0.83:
            return f"{self.attribute_map()}[{quoted(name)}]"
        if roll < 0.9:
            return f"{self.attribute_map()}.?{name}.orValue({self.value(kind)})"
        if roll < 0.95:
            return f"{self.attribute_map()}[?{quoted(name)}].orValue({self.value(kind)})"
        return f"device.attributes[?{self.domain()}].?{name}.orValue({self.value(kind)})"

    def value(self, kind):
        if kind in ("bool", "int", "string", "double"):
            return {"bool": lambda: self.pick(["true", "false"]), "int": self.int_literal,
                    "string": lambda: quoted(self.pick(STRINGS)), "double": lambda: self.pick(["0.5", "1.0", "2e3", "-1.5"])}[kind]()
        if kind == "version":
            return f"semver({quoted(self.pick(VERSIONS if self.chance(0.9) else BAD_VERSIONS))}" + self.pick([")", ")", ", true)"])
        if kind == "quantity":
            return f"quantity({quoted(self.pick(QUANTITIES if self.chance(0.93) else BAD_QUANTITIES))})"
        item = {"ints": "int", "strings": "string"}.get(kind, "int")
        return "[" + ", ".join(self.value(item) for _ in range(self.random.randint(0, 3))) + "]"

    def int_literal(self):
        return str(self.pick(INTS)) if self.chance(0.95) else self.pick(["0x1F", "9223372036854775808", "7u", "- 3", "--3"])

    def expression(self, kind, depth):
        if self.chance(0.02):
            kind = self.pick(KINDS)
        bound = [name for name, own in self.variables if own == kind]
        if bound and self.chance(0.4):
            return self.pick(bound)
        if depth <= 0:
            return self.leaf(kind)
        makers = {"bool": self.boolean, "int": self.integer, "string": self.string, "version": self.leaf_version,
                  "quantity": self.quantity, "double": self.double, "ints": self.items, "strings": self.texts}
        made = makers[kind](depth)
        return f"({made})" if self.chance(0.3) else made

    def leaf(self, kind):
        if kind == "quantity":
            return self.capacity() if self.chance(0.6) else self.value(kind)
        if kind == "string" and self.chance(0.2):
            return "device.driver"
        if kind == "bool" and self.chance(0.1):
            return "device.allowMultipleAllocations"
        return self.access(kind) if kind != "double" and self.chance(0.7) else self.value(kind)

    def leaf_version(self, _):
        return self.leaf("version")

    def capacity(self):
        own = [name.split("/")[-1] for name in self.asked["capacity"]]
        name = self.pick(own if own and self.chance(0.95) else CAPACITIES)
        if self.chance(0.1):
            return f"device.capacity[{self.domain()}].?{name}.orValue({self.value('quantity')})"
        return f"device.capacity[{self.domain()}].{name}"

    def quantity(self, depth):
        if self.chance(0.7):
            return self.leaf("quantity")
        other = self.expression("quantity", depth - 1) if self.chance(0.7) else self.expression("int", depth - 1)
        return f"{self.expression('quantity', depth - 1)}.{self.pick(['add', 'sub'])}({other})"

    def double(self, depth):
        if self.chance(0.5):
            return f"double({self.expression('int', depth - 1)})"
        return f"{self.expression('double', depth - 1)} {self.pick('+-*/')} {self.expression('double', depth - 1)}"

    def items(self, depth):
        roll = self.random.random()
        if roll < 0.5:
            return self.leaf("ints")
        if roll < 0.75:
            return self.over("ints", depth, "filter", "bool")
        return self.over("ints", depth, "map", "int")

    def texts(self, depth):
        roll = self.random.random()
        if roll < 0.5:
            return self.leaf("strings")
        if roll < 0.7:
            return f"{self.expression('string', depth - 1)}.split({quoted(self.pick([' ', '-', '.', 'GB']))}{self.pick(['', ', 2', ', 0', ', 1'])})"
        return self.over("strings", depth, "filter", "bool")

    def over(self, kind, depth, macro, result):
        variable = self.pick(["x", "y", "item"])
        owner = self.expression(kind, depth - 1)
        self.variables.append((variable, {"ints": "int", "strings": "string"}.get(kind, "string")))
        body = self.expression(result, depth - 1)
        self.variables.pop()
        return f"{owner}.{macro}({variable}, {body})"

    def integer(self, depth):
        roll = self.random.random()
        if roll < 0.35:
            return self.leaf("int")
        if roll < 0.6:
            return f"{self.expression('int', depth - 1)} {self.pick('+-*/%')} {self.expression('int', depth - 1)}"
        if roll < 0.7:
            return f"{self.expression('version', depth - 1)}.{self.pick(['major()', 'minor()', 'patch()'])}"
        if roll < 0.78:
            return f"size({self.expression(self.pick(['string', 'ints', 'strings']), depth - 1)})"
        if roll < 0.84:
            return f"{self.expression('string', depth - 1)}.{self.pick(['indexOf', 'lastIndexOf'])}({self.expression('string', 0)})"
        if roll < 0.88:
            return f"int({self.expression(self.pick(['int', 'string', 'double']), depth - 1)})"
        if roll < 0.93:
            kind = self.pick(["quantity", "version"])
            return f"{self.expression(kind, depth - 1)}.compareTo({self.expression(kind, 0)})"
        if roll < 0.96:
            return f"{self.expression('quantity', depth - 1)}.asInteger()"
        return f"-{self.expression('int', 0)}"

    def string(self, depth):
        roll = self.random.random()
        if roll < 0.5:
            return self.leaf("string")
        if roll < 0.6:
            return f"{self.expression('string', depth - 1)} + {self.expression('string', depth - 1)}"
        if roll < 0.75:
            return f"{self.expression('string', depth - 1)}.{self.pick(['lowerAscii()', 'upperAscii()', 'trim()'])}"
        if roll < 0.82:
            return f"{self.expression('string', depth - 1)}.substring({self.pick(['0', '1', '3', '99'])}{self.pick(['', ', 4', ', 2'])})"
        if roll < 0.87:
            return f"{self.expression('string', depth - 1)}.replace({quoted(self.pick(['A', '00', ' ', 'G']))}, {quoted(self.pick(['', 'B']))}{self.pick(['', ', 1'])})"
        if roll < 0.9:
            return f"{self.expression('string', depth - 1)}.charAt({self.pick(['0', '2', '-1'])})"
        if roll < 0.95:
            return f"string({self.expression(self.pick(['int', 'bool', 'string']), depth - 1)})"
        return f"{self.expression('strings', depth - 1)}.join({quoted(',')})"

    def boolean(self, depth):
        roll = self.random.random()
        if roll < 0.22:
            return f"{self.expression('bool', depth - 1)} {self.pick(['&&', '||'])} {self.expression('bool', depth - 1)}"
        if roll < 0.27:
            return f"!{self.leaf('bool')}" if self.chance(0.5) else f"!({self.expression('bool', depth - 1)})"
        if roll < 0.5:
            kind = self.pick(["int", "string", "string", "bool", "version", "quantity", "double", "strings", "ints"])
            other = kind if self.chance(0.93) else self.pick(KINDS)
            return f"{self.expression(kind, depth - 1)} {self.pick(['==', '==', '!='])} {self.expression(other, depth - 1)}"
        if roll < 0.6:
            kind = self.pick(["int", "string", "double"])
            other = kind if self.chance(0.8) else self.pick(["int", "double", "bool"])
            return f"{self.expression(kind, depth - 1)} {self.pick(['<', '<=', '>', '>='])} {self.expression(other, depth - 1)}"
        if roll < 0.67:
            kind = self.pick([("int", "ints"), ("string", "strings")])
            return f"{self.expression(kind[0], depth - 1)} in {self.expression(kind[1], depth - 1)}"
        if roll < 0.73:
            return f"{self.expression('string', depth - 1)}.matches({quoted(self.pick(REGEXES))})"
        if roll < 0.79:
            return f"{self.expression('string', depth - 1)}.{self.pick(['contains', 'startsWith', 'endsWith'])}({self.expression('string', 0)})"
        if roll < 0.85:
            kind = self.pick(["quantity", "version"])
            other = kind if self.chance(0.95) else self.pick(KINDS)
            return f"{self.expression(kind, depth - 1)}.{self.pick(['isGreaterThan', 'isLessThan'])}({self.expression(other, depth - 1)})"
        if roll < 0.9:
            return self.presence()
        if roll < 0.94:
            return self.over(self.pick(["ints", "strings"]), depth, self.pick(["all", "exists", "exists_one"]), "bool")
        if roll < 0.97:
            self.variables.append(("dra", "attributes"))
            body = self.expression("bool", depth - 1)
            self.variables.pop()
            return f"cel.bind(dra, device.attributes[{self.domain()}], {body})"
        return f"({self.expression('bool', depth - 1)} ? {self.expression('bool', depth - 1)} : {self.expression('bool', depth - 1)})"

    def presence(self):
        name = self.pick(list(NAMES))
        return self.pick([
            f"has({self.attribute_map()}.{name})", f"{quoted(name)} in {self.attribute_map()}", f"{self.domain()} in device.attributes",
            f"{self.attribute_map()}.?{name}.hasValue()", f"has(device.capacity[{self.domain()}].{self.pick(CAPACITIES)})",
            f"device.attributes[{self.domain()}].all(key, key != {quoted(name)})", f"isQuantity({quoted(self.pick(QUANTITIES + BAD_QUANTITIES))})",
            f"isSemver({quoted(self.pick(VERSIONS + BAD_VERSIONS))}{self.pick(['', ', true'])})",
            f"{self.attribute_map()}.?{name}.optMap(v, v == {self.value('int')}).orValue(false)", "has(device.attributes)", "device == device",
            f"optional.of({self.value('int')}).or(optional.none()).hasValue()", f"{self.attribute_map()} == {self.attribute_map()}",
            f"{{'a': 1, 'b': 2}}[{quoted(self.pick('abc'))}] == 1"])

    def mutate(self, text):
        at = self.random.randrange(len(text) + 1)
        roll = self.random.random()
        if roll < 0.5:
            return text[:at] + text[at + 1:]
        if roll < 0.8:
            return text[:at] + self.pick(list("()[]{}.,?:!&|=<>'\"\\0a -+*/%@#$;~")) + text[at:]
        return text.replace(self.pick(["device", "attributes", "driver", "true", "matches", "semver"]), self.pick(["devices", "attribute", "x", "1", "''"]), 1)

    def question(self):
        self.asked = self.device()
        text = self.expression("bool", self.random.randint(0, 4))
        if self.chance(0.08):
            text = self.mutate(text)
        return {"selector": text, "device": self.asked}
