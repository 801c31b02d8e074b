#!/usr/bin/env python3
"""Asks flytekit and flyte what they make of the sources in testdata/python, and records it there.

usage: record.py   (needs `pip install flytekit flyte kubernetes`; no cluster, nothing is sent)
"""
import collections
import importlib
import importlib.metadata
import json
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "testdata/python"
NAMES = {"CPU": "cpu", "GPU": "gpu", "MEMORY": "memory", "EPHEMERAL_STORAGE": "ephemeral-storage"}


def amounts(entries):
    """`[{name: GPU, value: "1"}]` → `{"gpu": "1"}`."""
    return {NAMES[entry["name"]]: entry["value"] for entry in entries or []}


def accelerator(extended):
    """`nvidia-tesla-a100`, with `/2g.10gb` or `/whole` behind it."""
    found = (extended or {}).get("gpuAccelerator")
    if not found:
        return None
    size = found.get("partitionSize") or ("whole" if found.get("unpartitioned") else "")
    kind = found.get("deviceClass", "NVIDIA_GPU")
    return found["device"] + ("/" + size if size else "") + (f" of {kind}" if kind != "NVIDIA_GPU" else "")


def of_template(template):
    """What counts of a task's template."""
    resources = template.get("container", {}).get("resources", {})
    told = {"requests": amounts(resources.get("requests")), "limits": amounts(resources.get("limits"))}
    for container in template.get("k8sPod", {}).get("podSpec", {}).get("containers", []):
        resources = container.get("resources", {})
        told = {part: dict(sorted(resources.get(part, {}).items())) for part in ("requests", "limits")}
    if device := accelerator(template.get("extendedResources")):
        told["accelerator"] = device
    if template.get("metadata", {}).get("interruptible"):
        told["interruptible"] = True
    return told


def of_flytekit(module):
    """flytekit's tasks, and the nodes of its workflow that override one."""
    from flytekit.configuration import Image, ImageConfig, SerializationSettings
    from flytekit.core.python_function_task import PythonFunctionTask
    from flytekit.tools.translator import get_serializable
    from google.protobuf.json_format import MessageToDict

    settings = SerializationSettings(image_config=ImageConfig(Image("default", "i", "1")), project="p",
                                     domain="d", version="v")
    told = {}
    for name, found in vars(module).items():
        if isinstance(found, PythonFunctionTask):
            spec = get_serializable(collections.OrderedDict(), settings, found)
            told[name] = of_template(MessageToDict(spec.to_flyte_idl())["template"])
    if not hasattr(module, "work"):
        return told
    work = get_serializable(collections.OrderedDict(), settings, module.work)
    nodes = MessageToDict(work.to_flyte_idl())["template"]["nodes"]
    for number, node in enumerate(node for node in nodes if "taskNode" in node):
        over = node["taskNode"]["overrides"]
        name = node["taskNode"]["referenceId"]["name"].rsplit(".", 1)[-1] + ".with_overrides"
        told[name + (f"-{number + 1}" if number else "")] = of_template(
            {"container": {"resources": over.get("resources", {})}, **over})
    return told


def of_flyte(module):
    """Flyte 2's tasks."""
    from flyte._internal.runtime.task_serde import translate_task_to_wire
    from flyte.models import SerializationContext
    from google.protobuf.json_format import MessageToDict

    told = {}
    for found in vars(module).values():
        if type(found).__name__ != "AsyncFunctionTaskTemplate":
            continue
        context = SerializationContext(version="v", project="p", domain="d", org="o", root_dir=FOLDER)
        wire = MessageToDict(translate_task_to_wire(found, context))
        name = found.name + ".override" if found.name in told else found.name  # it keeps the name
        told[name] = of_template(wire["taskTemplate"])
    return told


SDKS = {"flytekit": of_flytekit, "flyte": of_flyte}


def refusals():
    """How an SDK refuses the sources of `refused`, each by its name's first part."""
    sys.path.insert(0, str(FOLDER / "refused"))
    told = {}
    for path in sorted((FOLDER / "refused").glob("*.py")):
        try:
            SDKS[path.stem.split("_")[0]](importlib.import_module(path.stem))
        except (TypeError, ValueError, RuntimeError) as error:
            told[path.name] = f"{type(error).__name__}: {error}".split(". ")[0]
    return told


def main():
    sys.path.insert(0, str(FOLDER))
    sys.dont_write_bytecode = True
    for sdk, read in SDKS.items():
        for kind in ("tasks", "values"):
            tasks = read(importlib.import_module(f"{sdk}_{kind}"))
            record = {"sdk": f"{sdk} {importlib.metadata.version(sdk)}", "tasks": tasks}
            (FOLDER / f"{sdk}_{kind}.json").write_text(json.dumps(record, indent=1) + "\n")
    (FOLDER / "refused.json").write_text(json.dumps(refusals(), indent=1) + "\n")


if __name__ == "__main__":
    main()
