"""Accelerators of the clouds' machine types."""
from cpp_writer import Writer, text

# Of these EC2 families the source lists no accelerator although machines have one that it cannot count: a fraction of
# a GPU, or a device of another kind.
UNCOUNTED_FAMILIES = {"dl2q", "g6f", "gr6f", "vt1"}
LABEL = "karpenter.k8s.aws/instance-"


def machines(facts):
    writer = Writer("instance-types.json")
    rows = [row for cloud in ("aws", "additions", "gcp", "azure") for row in facts[cloud]]
    writer.table("Machine", "machine_table", [{
        "type": text(row["type"].lower()),
        "accelerators": writer.sub_table("MachineAccelerator", [
            {"resource": text(resource), "count": str(count)}
            for resource, count in sorted(row["accelerators"].items())
        ]) if row.get("accelerators") else "{}",
        "is_open": str(row["type"].split(".")[0] in UNCOUNTED_FAMILIES).lower(),
        "cpu": str(row.get("cpu", 0)),
        "memory_mib": str(row.get("memoryMiB", 0)),
        "arch": text(row.get("arch")),
        "gpu_name": text(row.get("labels", {}).get(LABEL + "gpu-name")),
        "gpu_manufacturer": text(row.get("labels", {}).get(LABEL + "gpu-manufacturer")),
        "gpu_memory_mib": text(row.get("labels", {}).get(LABEL + "gpu-memory")),
        "gke_accelerator": text(row.get("gke-accelerator")),
        "product": text(row.get("product")),
        "accelerator_name": text(row.get("labels", {}).get(LABEL + "accelerator-name")),
    } for row in sorted(rows, key=lambda row: row["type"].lower())])
    return writer
