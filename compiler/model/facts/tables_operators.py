"""NVIDIA's device plugin configuration and the DRA driver."""
import re

from cpp_writer import Writer, text


def device_plugin(facts):
    writer = Writer("device-plugin.json")
    for name in ("migStrategy", "deviceListStrategy", "deviceIDStrategy",
                 "sharedDevicesAllocationPolicy"):
        words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)
        writer.text_table("_".join(words).lower() + "_values", facts["config_file"]["enums"][name])
    return writer


def version_row(row):
    return {"version": text(row["version"].rpartition("/")[2]),
            "introduced": text(row.get("introduced")),
            "deprecated": text(row.get("deprecated")),
            "removed": text(row.get("removed"))}


def dra(facts):
    writer = Writer("dra.json")
    writer.table("DraApiVersion", "api_version_table", map(version_row, facts["api_versions"]))
    writer.table("DraDeviceClass", "device_class_table",
                 [{"name": text(row["name"]),
                   "extended_resource": text(re.split(r"[ ;]",
                                                      row.get("extendedResourceName") or "")[0])}
                  for row in facts["device_classes"]])
    return writer


SCALARS = {"string": ":s", "boolean": ":b", "integer": ":i", "number": ":n"}


def schema_text(keys):
    """What schema.h reads: `{name! version:s mode(a|b) args:l drain?{force:b} flavors[{name:s}]}`."""
    if keys is True:
        return ""
    if isinstance(keys, str):
        return SCALARS[keys]
    if isinstance(keys, list):
        return "(" + "|".join(keys) + ")"
    if "[]" in keys:
        return "[" + schema_text(keys["[]"]) + "]" if isinstance(keys["[]"], dict) else ":l"
    required = keys.get("!", [])
    fields = [key + ("!" if key in required else "") + schema_text(child)
              for key, child in sorted(keys.items()) if key not in "!?"]
    return ("?" if "?" in keys else "") + "{" + " ".join(fields) + "}"


def operator_keys(facts):
    writer = Writer("operator-keys.json")
    writer.table("OperatorKeys", "operator_keys_table",
                 [{"name": text(row["name"]),
                   "charts": text(" ".join(row.get("charts", []))),
                   "group": text(row.get("group")),
                   "kind": text(row.get("kind")),
                   "top": text(" ".join(sorted(row["keys"]))),
                   "signs": text(" ".join(row.get("signs", []))),
                   "also": text(" ".join(row.get("also", []))),
                   "keys": text(schema_text(row["keys"]))} for row in facts["schemas"]])
    return writer


def notebook_keys(facts):
    writer = Writer("notebook-keys.json")
    writer.text_table("notebook_key_table", facts["singleuser"]["keys"])
    writer.text_table("spawner_trait_table", facts["kubespawner_override"]["keys"])
    writer.table("NotebookName", "notebook_name_table", [
        {"place": f"NotebookName::Place::{place}", "written": text(written), "meant": text(meant)}
        for place in ("singleuser", "kubespawner_override", "profile") for written, meant in facts[place]["renamed"].items()])
    return writer
