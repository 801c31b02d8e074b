"""GPUs that can be partitioned, their profiles and where instances may lie."""
import re

from cpp_writer import Writer, text


def short_name(gpu):
    """`H200-141GB / H200 NVL` -> `H200-141GB`."""
    return re.split(r" \(| / ", gpu)[0]


def device_ids(gpu):
    """Listed identifiers and those of the export models named beside them."""
    return gpu["device_ids"] + re.findall(r"0x[0-9A-F]{8}", " ".join(gpu.get("also", [])))


def families(gpu):
    """The names that products with this GPU begin with: A100, A800, RTX PRO 6000."""
    said = " ".join([gpu["gpu"], *gpu.get("also", []), *gpu.get("nvml_names", [])])
    return sorted(set(re.findall(r"\b(RTX PRO \d+|Thor|[A-Z]{1,2}\d{2,3})\b", said)))


def alternative_names(gpu):
    """Profile names that another source has for this GPU: not wrong enough to report."""
    rows = gpu.get("aliases_seen", [])
    names = [row["alias"] for row in rows]
    for key in ("alternate_names", "older_doc_profiles"):
        names += [row["profile"] for row in gpu.get(key, [])]
    return names


def profile_row(writer, profile):
    return {
        "name": text(profile["profile"]),
        "compute_slices": profile["compute_slices"],
        "memory_slices": profile["memory_slices"] or 0,
        "max_instances": profile["max_instances"],
        "placement_starts": writer.numbers(profile["placement_starts"]),
        "placement_size": profile.get("placement_size") or 0,
    }


def gpu_row(writer, gpu):
    profiles = [profile_row(writer, profile) for profile in gpu["profiles"]]
    return {
        "name": text(short_name(gpu["gpu"])),
        "description": text(gpu["gpu"]),
        "architecture": text(gpu["architecture"]),
        "memory_gb": gpu["memory_gb"] or 0,
        "device_ids": writer.texts(device_ids(gpu)),
        "families": writer.texts([family.upper() for family in families(gpu)]),
        "nvml_names": writer.texts(gpu.get("nvml_names")),
        "compute_slices": gpu["compute_slices_total"],
        "memory_slices": gpu["memory_slices_total"] or 0,
        "max_instances": gpu["max_instances_total"],
        "profiles": writer.sub_table("MigGpuProfile", profiles),
        "alternative_profiles": writer.texts(alternative_names(gpu)),
    }


def mig_gpus(facts):
    writer = Writer("mig-profiles.json")
    writer.table("MigGpu", "mig_gpu_table", [gpu_row(writer, gpu) for gpu in facts["gpus"]])
    sizes = sorted(facts["gke_rule"]["max_count"].items())
    writer.table("GkePartition", "gke_partition_table",
                 [{"profile": text(name), "max_count": count} for name, count in sizes])
    return writer
