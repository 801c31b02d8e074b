"""Extended resources, what Kubernetes no longer has, and Karpenter's labels."""
import re

from cpp_writer import Writer, expand, plain, remark, text

LOOKED_UP = ("annotation", "api", "feature-gate", "image", "label", "resource")


def names(what):
    """`a, b (AKS)` -> [`a`, `b`]; `x/v2|v3` -> [`x/v2`, `x/v3`]; `x, .../y` is one list."""
    words = [word.strip() for word in re.split(r",(?![^{]*\})", plain(what))]
    result = []
    for word in words:
        head, _, tail = word.rpartition("/")
        choices = tail.split("|") if "|" in tail and " " not in tail else [tail]
        result += [f"{head}/{choice}" if head else choice for choice in choices]
    return [name for word in result for name in expand(word)]


def minor(version):
    """`1.11`, `<= 1.7` -> that minor version; `after 1.27` -> 28."""
    found = re.match(r"(after |<= )?1\.(\d+)", version or "")
    return int(found.group(2)) + (found.group(1) == "after ") if found else 0


def objects(row):
    """The kinds an API row speaks of; none where it is the whole group version."""
    if row.get("object_kind"):
        return [row["object_kind"]]
    return re.findall(r"[A-Z]\w+", row["what"].split(" ", 1)[1]) if " " in row["what"] else []


def replacements(row, count):
    """One successor for each of `count` names: the list's own where there is one."""
    listed = names(row.get("replacement", ""))
    if count > 1 and len(listed) >= count:
        folder = listed[0].rpartition("/")[0]
        return [name.replace("...", folder) for name in listed[:count]]
    return [plain(row.get("replacement"))] * count


def deprecation_rows(row):
    kind = row["kind"].replace("-", "_")
    if kind == "api":
        words = [(row["group_version"], object_kind) for object_kind in objects(row) or [""]]
    else:
        words = [tuple(name.partition("=")[::2]) for name in names(row["what"])]
    for (name, detail), replacement in zip(words, replacements(row, len(words))):
        yield {
            "kind": f"DeprecationKind::{kind}",
            "name": text(name),
            "detail": text(detail),
            "provider": text("aks" if remark(row["what"]) == "AKS" else ""),
            "deprecated_in": text(row.get("deprecated_in")),
            "removed_in": text(row.get("removed_in")),
            "deprecated_minor": minor(row.get("deprecated_in")),
            "removed_minor": minor(row.get("removed_in")),
            "replacement": text(replacement),
            "replacement_remark": text(remark(row.get("replacement"))),
            "note": text(row.get("note")),
        }


def deprecations(facts):
    writer = Writer("deprecations.json")
    rows = [row for entry in facts["entries"] + facts["additions"]
            if entry["kind"] in LOOKED_UP and (entry.get("replacement") or entry.get("removed_in"))
            for row in deprecation_rows(entry)]
    writer.table("Deprecation", "deprecation_table",
                 sorted(rows, key=lambda row: (row["kind"], row["name"], row["detail"])))
    return writer


def resources(facts):
    writer = Writer("resources.json")
    first = {row["name"]: row for row in reversed(facts["resources"])}
    writer.table("KnownResource", "resource_table", [{
        "name": text(row["name"]),
        "vendor": text(row["vendor"]),
        "unit": text(row["unit"]),
        "status": "ResourceStatus::" + row["status"].replace("-", "_"),
        "replacement": text(row.get("replacement")),
    } for row in sorted(first.values(), key=lambda row: row["name"])])
    writer.table("TpuDevices", "tpu_devices_table", [{
        "accelerator": text(row["accelerator"]),
        "per_chip": str(row["per_chip"]),
    } for row in sorted(facts["tpu_devices"], key=lambda row: row["accelerator"])])
    return writer


def karpenter(facts):
    writer = Writer("karpenter-labels.json")
    for name in ("aws_restricted_domains", "aws_well_known", "core_restricted_domains",
                 "core_well_known", "restricted_labels"):
        writer.text_table(name + "_table", sorted(facts[name]))
    writer.table("NormalizedLabel", "normalized_labels_table",
                 [{"from": text(old), "to": text(new)}
                  for old, new in sorted(facts["normalized_labels"].items())])
    writer.table("WellKnownValues", "well_known_values_table",
                 [{"label": text(label), "values": writer.texts(sorted(values))}
                  for label, values in sorted(facts["well_known_values"].items())])
    return writer


TRAITS = ("core", "service", "gang", "one_run", "lone", "queued_by_pod", "selects")


def plural(kind):
    word = kind.lower()
    if word.endswith(("s", "x", "ch")):
        return word + "es"
    return re.sub("([^aeiou])y$", r"\1ie", word) + "s"


def kinds(facts):
    writer = Writer("kinds.json")

    def count(row):
        given = row.get("count", {}) or {}
        return Writer.row({"is_known": str(row.get("count", {}) is not None).lower(),
                           "path": text(given.get("path")),
                           "is_required": str(given.get("required", False)).lower(),
                           "factors": writer.texts(given.get("factors")),
                           "unless": writer.texts(given.get("unless")),
                           "single_role": text(given.get("single")),
                           "hook": text(given.get("hook"))})

    def reference(ref, path):
        kinds = ref.get("to", [])
        return {"path": text(path),
                "other_paths": writer.texts(ref.get("or")),
                "kind_path": text(ref.get("to_by")),
                "kinds": writer.texts(kinds),
                "made": writer.texts(ref.get("made")),
                "what": text(ref.get("what") or kinds[0]),
                "effect": text(ref["missing"]),
                "is_likely": str(ref.get("likely", False)).lower(),
                "may_be_elsewhere": str(ref.get("elsewhere", False)).lower(),
                "of_gpu_pods": str(ref.get("gpu", False)).lower(),
                "hook": text(ref.get("hook"))}

    def references(refs):
        return [reference(ref, path) for ref in refs for path in expand(ref["path"])]

    def pods(rows):
        return [{"path": text(path),
                 "role": "PodFacts::Role::" + row.get("role", "none"),
                 "containers": writer.texts(row.get("containers")),
                 "resources": text(row.get("resources")),
                 "claims": text(row.get("claims")),
                 "is_completed_later": str(row.get("completed_later", False)).lower(),
                 "hook": text(row.get("hook"))}
                for row in rows for path in expand(row["path"])]

    def shared(name):
        return f"SharedObject::{name}"

    rows = []
    for row in facts["kinds"]:
        group, _, kind = row["kind"].rpartition("/")
        traits = row.get("traits", [])
        assert set(traits) <= set(TRAITS), row
        rows.append({"group": text(group),
                     "kind": text(kind),
                     "version": text(row.get("version")),
                     "plural": text(row.get("plural", plural(kind))),
                     "is_cluster_wide": str(row.get("scope") == "cluster").lower(),
                     "traits": Writer.row({name: "true" for name in TRAITS if name in traits}),
                     "count": count(row),
                     "pods": writer.sub_table("PodFacts", pods(row.get("pods", []))),
                     "references": writer.sub_table("KindReference",
                                                    references(row.get("refs", []))),
                     "made_kind": text(row.get("makes", {}).get("kind")),
                     "made_name": text(row.get("makes", {}).get("name")),
                     "cluster_name": text(row.get("cluster", {}).get("name")),
                     "cluster_region": text(row.get("cluster", {}).get("region")),
                     "serves": shared(row["serves"]) if "serves" in row else "std::nullopt",
                     "needs": writer.values("SharedObject", map(shared, row.get("needs", [])))})
    writer.table("KindFacts", "kind_table", rows)
    writer.table("KindReference", "pod_reference_table", references(facts["pod_refs"]))
    writer.text_table("closed_group_table", facts["closed_groups"]["names"])
    return writer
