"""NVIDIA's device plugin configuration and the DRA driver."""
import re

from cpp_writer import Writer, plain, text


def device_plugin(facts):
    writer = Writer("device-plugin.json")
    config = facts["config_file"]
    for name in ("top_level", "flags", "flags.plugin", "flags.gfd"):
        writer.text_table(name.replace(".", "_") + "_keys", [plain(key) for key in config[name]])
    for name in ("migStrategy", "deviceListStrategy", "deviceIDStrategy",
                 "sharedDevicesAllocationPolicy"):
        writer.text_table(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower() + "_values",
                          config["enums"][name])
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
    writer.text_table("config_kind_table", facts["opaque_config"]["kinds"])
    return writer
