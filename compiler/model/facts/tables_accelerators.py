"""Names that Flyte, GKE, GPU feature discovery and Karpenter have for GPU products."""
import re

from cpp_writer import Writer, plain, text

SUPPORT = {True: "Support::yes", False: "Support::no", None: "Support::unknown"}


def listed(value):
    values = value if isinstance(value, list) else [value] if value else []
    return [plain(item).split(" + ")[0] for item in values]


def flyte_row(writer, row, constant, device):
    return {
        "constant": text(row[constant]),
        "device": text(row[device]),
        "label_value": text(row.get("default_backend_label_value", row[device])),
        "device_class": text(row.get("device_class", "NVIDIA_GPU")),
        "partitions": writer.texts(row.get("partitions") or row.get("sdk_partitions")),
    }


def known_products(facts):
    """(vocabulary, value) -> products, from the cross map: Karpenter has one `a100` for two."""
    products = {}
    for row in facts["cross_map"]:
        for vocabulary in ("flyte", "gke", "gfd", "karpenter"):
            for value in listed(row[vocabulary]):
                products.setdefault((vocabulary, value), []).append(row["product"])
    return products


def described_product(row):
    """`Tesla P4 vWS` -> `P4 vWS`, `A100 80GB PCIe (seen in docs)` -> `A100-80GB`."""
    name = re.sub(r"^(NVIDIA|Tesla|AMD) ", "", row.get("product", ""))
    name = re.split(r"[,(;]", name)[0].strip()
    return re.sub(r" (\d+GB)( PCIe)?$", r"-\1", name)


def flyte_devices(facts):
    described = {row["value"]: row["product"] for row in facts["gke_accelerator"]}
    rows = [{"value": row["device_value"], "mig": row["mig_capable_hw"],
             "product": described.get(row["device_value"], row["product"]),
             "partitions": row.get("partitions")}
            for row in facts["flytekit_v1"] if row["device_class"] == "NVIDIA_GPU"]
    seen = {row["value"] for row in rows}
    for row in facts["flyte2_sdk"]:
        value = row.get("default_backend_label_value")
        if "mig_capable_hw" in row and value not in seen:
            rows.append({"value": value, "product": described.get(value, row["sdk_device"]),
                         "mig": row["mig_capable_hw"], "partitions": row["sdk_partitions"]})
    return rows


def families(row, product):
    """Of `A100 40GB (p4d) and 80GB (p4de)` each product has its own families."""
    own = dict(re.findall(r"(\d+GB) \(([a-z0-9]+)\)", row.get("product", "")))
    size = product.rsplit("-", 1)[-1]
    return [own[size]] if size in own else row.get("families")


def device_rows(writer, facts):
    products = known_products(facts)
    tables = {"flyte": flyte_devices(facts), "gke": facts["gke_accelerator"],
              "gfd": [row for row in facts["gfd_product"] if row["kind"] in ("base", "derived")],
              "karpenter": facts["karpenter_gpu_name"] + facts["additions"]["karpenter_gpu_name"]}
    rows = [(vocabulary, product, row) for vocabulary, table in tables.items() for row in table
            for product in products.get((vocabulary, row["value"]), [described_product(row)])]
    seen = {(vocabulary, row["value"]) for vocabulary, _, row in rows}
    rows += [(key[0], products[key][0], {"value": key[1]}) for key in products.keys() - seen]
    mig = {product: row["mig"] for _, product, row in rows if row.get("mig") is not None}
    for vocabulary, product, row in sorted(rows, key=lambda row: (row[0], row[2]["value"], row[1])):
        yield {
            "vocabulary": f"DeviceVocabulary::{vocabulary}",
            "value": text(row["value"]),
            "product": text(product),
            "mig": SUPPORT[mig.get(product)],
            "partitions": writer.texts(row.get("partitions")),
            "families": writer.texts(families(row, product)),
        }


def accelerators(facts):
    writer = Writer("accelerators.json")
    writer.table("FlyteAccelerator", "flytekit_table",
                 [flyte_row(writer, row, "constant", "device_value")
                  for row in sorted(facts["flytekit_v1"], key=lambda row: row["constant"])])
    writer.table("FlyteAccelerator", "flyte2_table",
                 [flyte_row(writer, row, "sdk_device", "sdk_sends")
                  for row in sorted(facts["flyte2_sdk"] + facts["additions"]["flyte2_sdk"],
                                    key=lambda row: row["sdk_device"])])
    backend = sorted(facts["flyte2_backend_accelerator_devices"], key=lambda row: row["key"])
    writer.table("BackendDevice", "backend_device_table",
                 [{"key": text(row["key"]), "label_value": text(row["label_value"]),
                   "reachable": str(row["reachable"]).lower()} for row in backend])
    writer.table("DeviceName", "device_name_table", device_rows(writer, facts))
    writer.text_table("tpu_table", facts["gke_tpu"][0]["values"])
    writer.table("AcceleratorFamily", "accelerator_family_table",
                 [{"name": text(row["value"]), "manufacturer": text(row["manufacturer"]),
                   "families": writer.texts(row["families"])}
                  for row in facts["karpenter_accelerator_name"]])
    return writer
