"""The structs of the Kubernetes API, of Flyte's configuration and of KubeRay, and the keys of gpulint.yaml."""
import json
import pathlib

from cpp_writer import Writer, text

SCALARS = {"string": "string", "bool": "boolean", "int32": "int32", "int64": "int64",
           "float": "number", "quantity": "quantity", "intOrString": "int_or_string",
           "time": "time", "bytes": "bytes", "any": "any"}
MARKS = "?~+"
VERSIONS = {"1": "v1", "2": "v2", "": "unknown"}


def json_fields(types, name):
    """The fields as JSON shows them: those of embedded structs in their place."""
    for key, notation in types[name].items():
        if key.endswith("~"):
            yield from json_fields(types, notation)
        else:
            yield key.rstrip(MARKS), notation.removeprefix("*")


def api_field(name, notation, names):
    container = {"[": "list", "m": "map"}.get(notation[0], "single") if notation.startswith(("[]", "map:")) else "single"
    item = notation.removeprefix("[]").removeprefix("map:")
    kind, index = (SCALARS[item], 0) if item in SCALARS else ("structure", names.index(item))
    return {"name": text(name), "kind": f"ApiFieldKind::{kind}", "container": f"ApiContainer::{container}", "type": index}


def kubernetes_api(facts):
    writer, types = Writer("kubernetes-api.json"), facts["types"]
    embedded = {notation for fields in types.values() for key, notation in fields.items() if key.endswith("~")}
    shown = {name: sorted(json_fields(types, name)) for name in types}
    used = {notation.removeprefix("[]").removeprefix("map:") for fields in shown.values() for _, notation in fields}
    names = sorted(name for name in types if name in used or name not in embedded)
    writer.table("ApiType", "api_types", [
        {"name": text(name),
         "fields": writer.sub_table("ApiField", [api_field(*field, names) for field in shown[name]])} for name in names])
    writer.table("ApiObject", "api_objects", [{"api_version": text(version), "kind": text(kind)}
                                              for version, kinds in facts["objects"].items() for kind in kinds])
    return writer


def go_type(notation):
    """As Flyte's decoder reads it; what decodes itself is `any`."""
    head = notation[:len(notation) - len(notation.lstrip("*[]"))]
    return head + "any" if notation[len(head):] in ("time", "intOrString", "bytes") else notation


def go_fields(types):
    for name, fields in types.items():
        for key, notation in fields.items():
            mark = key[-1] if key[-1] in MARKS else ""
            field, _, version = key.rstrip(MARKS).partition("@")
            if mark == "+":
                continue
            yield {"structure": text(name),
                   "field": Writer.row({"name": text(field), "type": text(go_type(notation)),
                                        "omit_empty": str(mark == "?").lower(), "is_inline": str(mark == "~").lower()}),
                   "version": f"FlyteVersion::{VERSIONS[version]}"}


def flyte_types(facts):
    """Flyte's own structs, and all of the Kubernetes API that they reach."""
    writer = Writer("flyte-types.json")
    with open(pathlib.Path(__file__).parent / "kubernetes-api.json", encoding="utf-8") as file:
        types = json.load(file)["types"] | facts["types"]
    reached, ahead = {}, list(facts["types"])
    while ahead:
        name = ahead.pop()
        if name in types and name not in reached:
            reached[name] = types[name]
            ahead += [notation.replace("map:", "").lstrip("*[]") for key, notation in types[name].items() if key[-1] != "+"]
    writer.table("GoFieldRow", "go_fields", go_fields(reached))
    return writer


RAY_KINDS = {"any": "any", "string": "string", "bool": "boolean", "int": "integer"}


def ray_field(writer, structure, key, notation):
    item = notation.removeprefix("[]")
    kind = RAY_KINDS.get(notation, "words" if "|" in notation else "map" if notation.startswith("map:") else "structure")
    return {"structure": text(structure), "name": text(key.rstrip("!")), "kind": f"RayField::Kind::{kind}",
            "is_required": str(key.endswith("!")).lower(), "is_list": str(notation.startswith("[]")).lower(), "item": text(item.removeprefix("map:")),
            "words": writer.texts(notation.split("|") if kind == "words" else [])}


def ray_cluster(facts):
    writer = Writer("ray-cluster.json")
    writer.table("RayField", "ray_fields", [ray_field(writer, structure, key, notation)
                                            for structure, fields in facts["types"].items() for key, notation in fields.items()])
    return writer


def config_keys(facts):
    writer = Writer("config-keys.json")
    writer.table("ConfigKey", "config_key_table", [
        {"section": text(section), "name": text(name.rstrip("!")), "type": text(notation), "help": text(sentence),
         "is_required": str(name.endswith("!")).lower()}
        for section, keys in facts["sections"].items() for name, (notation, sentence) in keys.items()])
    return writer
