"""What providers put on nodes, and the keys of Flyte's `plugins.k8s`."""
import json
import re

from cpp_writer import Writer, expand, plain, remark, text


def label_keys(key):
    """Expanded keys; what varies (`<profile>`) ends the key as a prefix with `*`."""
    return list(dict.fromkeys(re.sub(r"<[^>]*>.*", "*", word) for word in expand(key)))


def label_rows(writer, provider):
    for row in provider.get("labels", []):
        values = row["values"] if isinstance(row["values"], list) else []
        for key in label_keys(row["key"]):
            yield {
                "provider": text(provider["provider"]),
                "key": text(key),
                "values": writer.texts(values),
                "role": text(plain(row["role"])),
                "remark": text(remark(row["role"])),
                "set_by": text(row["set_by"]),
            }


def taint_rows(provider):
    for row in provider.get("taints", []):
        yield {
            "provider": text(provider["provider"]),
            "key": text(row["key"]),
            "value": text(row["value"]),
            "effect": text(row["effect"]),
            "set_by": text(row["set_by"]),
            "when": text(row["when"]),
        }


def provider_row(writer, provider):
    default = provider["extended_resource_toleration"]["default"]
    return {
        "name": text(provider["provider"]),
        "extended_resource_toleration":
            {True: "Support::yes", False: "Support::no", None: "Support::unknown"}[default],
        "resources": writer.texts([re.split(r" ", name)[0]
                                   for name in provider.get("resources", [])]),
        "reserved_prefixes": writer.texts(provider.get("reserved_prefixes")),
    }


def providers(facts):
    writer = Writer("providers.json")
    rows = facts["providers"]
    writer.table("ProviderFacts", "provider_table", [provider_row(writer, row) for row in rows])
    labels = [label for row in rows for label in label_rows(writer, row)]
    writer.table("ProviderLabel", "label_table", sorted(labels, key=lambda row: row["key"]))
    writer.table("ProviderTaint", "taint_table", [taint for row in rows for taint in taint_rows(row)])
    return writer


def flyte_keys(facts):
    writer = Writer("flyte-k8s-plugin-keys.json")
    writer.table("FlytePluginKey", "flyte_key_table", [{
        "key": text(row["key"]),
        "type": text(row["type"]),
        "default_v1": text(json.dumps(row.get("defaultV1", row["default"]))),
        "default_v2": text(json.dumps(row["default"])),
        "in_v1": str(row["v1"]).lower(),
        "in_v2": str(row["v2"]).lower(),
        "deprecated_in_v1": str("1" in row.get("deprecatedIn", [])).lower(),
        "deprecated_in_v2": str("2" in row.get("deprecatedIn", [])).lower(),
    } for row in sorted(facts, key=lambda row: row["key"])])
    return writer
