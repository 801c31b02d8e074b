"""Keys of operators as trees: `True` is open, a text a type, a list words, a mapping a section, `{"[]": …}` a list."""

# Parts of pods and of the API's own types, which others judge.
OTHERS = {"affinity", "containers", "env", "envFrom", "labels", "annotations", "nodeSelector", "podSecurityContext",
          "podTemplate", "resources", "securityContext", "selector", "status", "template", "tolerations", "volumes",
          "livenessProbe", "readinessProbe", "startupProbe", "metadata", "ingressOptions", "autoscalerOptions",
          "valueFrom", "headService", "serveService", "networkPolicy", "storage", "expose", "scale", "metrics",
          "matchExpressions", "namespaceSelector", "podSelector", "podAffinity", "router", "initContainers"}
TYPES = {"string", "boolean", "integer", "number"}


def merge(into, other):
    """Keys of both; a type that differs is open. Required is what both require."""
    if isinstance(into, list) and isinstance(other, list):
        return sorted({*into, *other})
    if not isinstance(into, dict) or not isinstance(other, dict):
        return into if into == other else True
    required = sorted(set(into.pop("!", [])) & set(other.get("!", [])))
    for key, value in other.items():
        if key != "!":
            into[key] = merge(into[key], value) if key in into else value
    return into | ({"!": required} if required else {})


def add(into, other):
    """What earlier releases of a chart know in sections of the newest; "?" is one that was none in these."""
    for key, value in other.items():
        if key == "?":
            continue
        if isinstance(into.get(key), dict):
            if isinstance(value, dict):
                add(into[key], value)
            else:
                into[key]["?"] = True
        else:
            into.setdefault(key, True)
    return into


def fill(keys, schema):
    """What a chart passes on as it stands is what the custom resource knows; types are left open."""
    if not isinstance(schema, dict) or "[]" in schema:
        return True
    keys = keys if isinstance(keys, dict) else {}
    for key, child in schema.items():
        if key != "!":
            keys[key] = fill(keys.get(key), child)
    return keys


def of_values(value):
    if isinstance(value, dict) and value:
        return {str(key): True if key in OTHERS else of_values(child) for key, child in value.items()}
    return True


def refer(keys, path):
    """A template's reference to one value; what is on the way is a section."""
    for at, part in enumerate(path):
        last = at + 1 == len(path)
        if part in OTHERS:
            last = True
        if keys.get(part, True) is True:
            keys[part] = True if last else {}
        if last:
            return
        keys = keys[part]


def open_whole(keys, path):
    for part in path[:-1]:
        keys = keys.get(part)
        if not isinstance(keys, dict):
            return
    keys[path[-1]] = True


def of_schema(schema, key=""):
    if schema.get("x-kubernetes-preserve-unknown-fields") or key in OTHERS and schema.get("type") != "array":
        return True
    if key in {"containers", "env", "envFrom", "tolerations", "volumes", "initContainers", "matchExpressions"}:
        return True
    if schema.get("x-kubernetes-int-or-string"):
        return True
    if "enum" in schema and schema.get("type") == "string":
        return sorted(schema["enum"])
    kind = schema.get("type")
    if kind == "array":
        return {"[]": of_schema(schema["items"])}
    if kind == "object":
        fields = schema.get("properties")
        if not fields or "containers" in fields:
            return True
        found = {name: of_schema(child, name) for name, child in fields.items()}
        if schema.get("required"):
            found["!"] = sorted(schema["required"])
        return found
    return kind if kind in TYPES else True


def near(a, b):
    a, b = a.lower(), b.lower()
    return a != b and abs(len(a) - len(b)) <= 2 and len(set(a) ^ set(b)) <= 4


def all_keys(keys):
    if not isinstance(keys, dict):
        return set()
    return {key for key in keys if key not in "![]"}.union(*[all_keys(child) for child in keys.values()])
