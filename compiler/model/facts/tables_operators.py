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
    writer.text_table("config_kind_table", facts["opaque_config"]["kinds"])
    return writer
