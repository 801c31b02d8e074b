#!/usr/bin/env python3
"""Compares what gpulint reads of public repositories' tasks with what the SDKs serialize.

usage: compare.py GPULINT FOLDER… >repositories.tsv   (checkouts; needs `pip install flytekit flyte union kubernetes`)

Each file that imports an SDK and configures GPUs is imported with stubs for what is not installed, and its tasks are serialized.
gpulint reads the same file with the modules that it imports. A line says the repository, the file, the verdict and the tasks:

    right    the same GPUs and device        noted   gpulint says that it did not read them
    wrong    different ones                  silent  neither the task nor a note
    more     gpulint reads GPUs and the SDK has none: the other branch of an `if`, or a task of an imported module
    no task  neither has a task with GPUs
    unrun    the SDK did not load the file: what gpulint says of it is for a person to decide
"""
import ast
import collections
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import types

SDKS = ("flytekit", "union", "flyte")
INSTALLED = SDKS + ("flyteidl", "flyteidl2", "kubernetes")
KEYWORDS = {"gpu", "accelerator"}
# Names of the labels as the device and the partition.
VALUES = """configuration:
  inline:
    plugins:
      k8s: {gpu-device-node-label: device, gpu-partition-size-node-label: partition}
    task_resources: {limits: {cpu: 0, memory: 0, gpu: 0}}
"""


class StubType(type):
    """A class that is anything: it can be called, decorated with, indexed and computed with."""

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return StubType(name, (), {})

    def __call__(cls, *args, **kwargs):
        if len(args) == 1 and not kwargs and callable(args[0]):
            return args[0]
        return StubType(cls.__name__, (), {})

    def __getitem__(cls, _):
        return cls

    def __iter__(cls):
        return iter(())

    def __or__(cls, _):
        return cls

    __ror__ = __or__


class Stub(types.ModuleType):
    __path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return StubType(name, (), {"__module__": self.__name__})


class StubFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds what nothing else does, for the sources themselves: installed packages know what they can do without."""

    def find_spec(self, name, path=None, target=None):
        frame = sys._getframe(1)
        while "importlib" in frame.f_code.co_filename:
            frame = frame.f_back
        if name.split(".")[0] in INSTALLED or "/lib/python3" in frame.f_code.co_filename:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return Stub(spec.name)

    def exec_module(self, module):
        pass


def configures_gpus(tree):
    """Whether the source imports an SDK and has a call with `gpu=`, `accelerator=` or a pod's GPUs."""
    imports = {(alias.name if isinstance(node, ast.Import) else node.module or "").split(".")[0]
               for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom)) for alias in node.names}
    keywords = {word.arg for node in ast.walk(tree) if isinstance(node, ast.Call) for word in node.keywords}
    pods = any(isinstance(node, ast.Constant) and node.value == "nvidia.com/gpu" for node in ast.walk(tree))
    return bool(imports & set(SDKS)) and bool(keywords & KEYWORDS or pods)


def closure(path, root):
    """The file and the project's modules that it imports, next to it or in a folder around it."""
    found, waiting = [], [path]
    while waiting:
        now = waiting.pop()
        if now in found:
            continue
        found.append(now)
        try:
            tree = ast.parse(now.read_bytes())
        except SyntaxError:
            continue
        names = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                names |= {node.module or ""} | {f"{node.module or ''}.{alias.name}".strip(".") for alias in node.names}
        for name in filter(None, names):
            folder = now.parent
            while folder != root.parent:
                base = folder / name.replace(".", "/")
                module = base.with_suffix(".py") if base.with_suffix(".py").is_file() else base / "__init__.py"
                if module.is_file():
                    waiting.append(module)
                    break
                folder = folder.parent
    return found


def of_template(template):
    """GPUs and device of a serialized task."""
    gpus = 0
    resources = template.get("container", {}).get("resources", {})
    for part in ("requests", "limits"):
        for entry in resources.get(part, []):
            gpus = max(gpus, number(entry["value"])) if entry["name"] == "GPU" else gpus
    for container in template.get("k8sPod", {}).get("podSpec", {}).get("containers", []):
        for part in container.get("resources", {}).values():
            gpus = max([gpus] + [number(value) for name, value in part.items() if name.endswith("gpu")])
    accelerator = template.get("extendedResources", {}).get("gpuAccelerator", {})
    if accelerator.get("deviceClass", "NVIDIA_GPU") != "NVIDIA_GPU":
        return {"gpus": gpus}  # Flyte has other labels for them
    return {"gpus": gpus, "device": accelerator.get("device", ""), "partition": accelerator.get("partitionSize", "")}


def number(text):
    try:
        return float(text)
    except ValueError:
        return -1.0


def serialize(module):
    """The tasks of an imported module with GPUs, by name."""
    from flyte._internal.runtime.task_serde import translate_task_to_wire
    from flyte._task import TaskTemplate
    from flyte.models import SerializationContext
    from flytekit.configuration import Image, ImageConfig, SerializationSettings
    from flytekit.core.base_task import PythonTask
    from flytekit.tools.translator import get_serializable
    from google.protobuf.json_format import MessageToDict

    settings = SerializationSettings(image_config=ImageConfig(Image("default", "i", "1")), project="p", domain="d", version="v")
    context = SerializationContext(version="v", project="p", domain="d", org="o", root_dir=pathlib.Path("/"))
    told = {}
    for found in vars(module).values():
        function = getattr(found, "task_function", None) or getattr(found, "func", None)
        if function is not None and getattr(function, "__module__", None) != module.__name__:
            continue
        if isinstance(found, PythonTask):
            wire = MessageToDict(get_serializable(collections.OrderedDict(), settings, found).to_flyte_idl())["template"]
            told[found.name.rsplit(".", 1)[-1]] = of_template(wire)
        elif isinstance(found, TaskTemplate):
            told[found.name] = of_template(MessageToDict(translate_task_to_wire(found, context))["taskTemplate"])
    return {name: asked for name, asked in told.items() if asked["gpus"] or asked.get("device")}


def load(path, tree):
    """The module of a file, as a part of the packages that its relative imports need."""
    level = max([node.level for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)] + [0])
    name = ".".join(path.relative_to(path.parents[level]).with_suffix("").parts)
    sys.path.append(str(path.parents[level]))
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def without_builders(folder):
    """No image is built, a plugin that is not installed changes no resources, and files are found as at the project's top."""
    from flyte._internal.runtime import task_serde  # noqa: F401  pylint: disable=unused-import
    from flyte._task import AsyncFunctionTaskTemplate
    from flyte.extend import TaskPluginRegistry
    from flytekit.image_spec.image_spec import ImageBuildEngine

    ImageBuildEngine.build = classmethod(lambda *args, **kwargs: None)
    find = TaskPluginRegistry.find
    TaskPluginRegistry.find = staticmethod(lambda *args, **kwargs: find(*args, **kwargs) or AsyncFunctionTaskTemplate)
    while folder.parent != folder and not [*folder.glob("requirements*"), *folder.glob("pyproject.toml")]:
        folder = folder.parent
    os.chdir(folder)


def ask_sdk(path, tree, root):
    """What the SDK makes of a file, in a process of its own: tasks, or the error."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_RDWR), 1)
        os.dup2(1, 2)
        try:
            signal.alarm(60)  # a source may wait for a server
            sys.meta_path.append(StubFinder())
            json.JSONEncoder.default = lambda self, value: str(value)
            folder = path.parent
            while folder != root.parent:
                sys.path.append(str(folder))
                folder = folder.parent
            without_builders(path.parent)
            answer = {"tasks": serialize(load(path, tree))}
        except BaseException as error:  # pylint: disable=broad-except
            answer = {"error": f"{type(error).__name__}: {error}"[:150]}
        os.write(write, json.dumps(answer).encode()[:60000])
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return json.loads(text or b'{"error": "no answer"}')


def ask_gpulint(gpulint, files, values):
    """gpulint's tasks with GPUs by name, its notes on tasks and its errors, for the first file."""
    command = [gpulint, "compile", "-q", "--format", "json", values, *map(str, files)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    tasks = {}
    for pod in json.loads(ran.stdout)["pods"] if ran.stdout else []:
        if not pod["assumed"] and pod["spec"]:
            tasks[pod["task"]] = of_pod(pod)
    command[1] = "check"
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    told = [one for one in json.loads(ran.stdout)["diagnostics"] if one["file"].endswith(files[0].name)]
    notes = [one["message"] for one in told if one["id"] == "opaque-task-resources"]
    return tasks, notes, [one["id"] for one in told if one["severity"] == "error"]


def of_pod(pod):
    gpus, labels = 0, {}
    known = True
    for container in pod["spec"]["containers"]:
        for part in container.get("resources", {}).values():
            gpus = max([gpus] + [number(value) for name, value in part.items() if "/" in name])
    for pointer, origin in pod["origin"].items():
        missing = pointer.endswith("gpu") and origin["key"].startswith("task.") and gpus == 0
        known = known and not missing
    terms = pod["spec"].get("affinity", {}).get("nodeAffinity", {}).get("requiredDuringSchedulingIgnoredDuringExecution", {})
    for term in terms.get("nodeSelectorTerms", []):
        for each in term.get("matchExpressions", []):
            if each["operator"] == "In":
                labels[each["key"]] = each["values"][0]
    return {"gpus": gpus if known else None, "device": labels.get("device", ""), "partition": labels.get("partition", "")}


def compare_tasks(asked, read, notes):
    """One verdict for a file, and the tasks it is about."""
    verdicts = {}
    for name, real in asked.items():
        ours = read.get(name) or read.get(name.rsplit(".", 1)[-1])
        if ours is None or ours["gpus"] is None:
            verdicts[name] = "noted" if notes else "silent"
        else:
            verdicts[name] = "right" if is_same(ours, real) else "wrong"
    return verdicts


def is_same(ours, real):
    """Without GPUs Flyte selects no device. Flyte 2's backend knows some devices by other names than its SDK: `H200`."""
    if not real["gpus"]:
        return ours["gpus"] == 0
    names = (real.get("device", ""), "nvidia-" + real.get("device", "").lower())
    return ours["gpus"] == real["gpus"] and ("device" not in real or ours["device"] in names and ours["partition"] == real["partition"])


def text_of(asked):
    size = "/" + asked["partition"] if asked.get("partition") else ""
    gpus = "?" if asked["gpus"] is None else f"{asked['gpus']:g}"
    return gpus + (f" {asked['device']}{size}" if asked.get("device") else "")


def main():
    gpulint, *folders = sys.argv[1:]
    import flyte  # noqa: F401  pylint: disable=unused-import
    import flytekit  # noqa: F401  pylint: disable=unused-import
    counts = collections.Counter()
    values = tempfile.NamedTemporaryFile("w", suffix=".yaml")
    values.write(VALUES)
    values.flush()
    for root in map(pathlib.Path, folders):
        for path in sorted(root.resolve().rglob("*.py")):
            try:
                tree = ast.parse(path.read_bytes())
            except SyntaxError:
                continue
            if not configures_gpus(tree) or "tests" in path.parts:
                continue
            real = ask_sdk(path, tree, root.resolve())
            read, notes, errors = ask_gpulint(gpulint, closure(path, root.resolve()), values.name)
            names = {node.name for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))}
            own = {name: asked for name, asked in read.items() if "overrid" not in name and name.rsplit(".", 1)[-1] in names}
            place = f"{root.name.replace('__', '/')}\t{path.relative_to(root.resolve())}"
            ours = "; ".join(f"{name} {text_of(asked)}" for name, asked in sorted(own.items()))
            told = "; ".join(sorted(set(notes + errors)))
            if "error" in real:
                verdict = "noted" if notes or errors else "read" if own else "nothing"
                counts[f"unrun, {verdict}"] += 1
                print(place, f"unrun, {verdict}", real["error"].replace("\t", " ").replace("\n", " "), ours, told, sep="\t")
                continue
            verdicts = compare_tasks(real["tasks"], read, notes + errors)
            more = sorted(name for name in own if name not in real["tasks"] and own[name]["gpus"] != 0)
            verdicts.update({name: "more" for name in more})
            if not verdicts:
                verdicts[""] = "noted" if notes or errors else "no task"
            counts.update(verdicts.values())
            theirs = "; ".join(f"{name} {text_of(asked)}" for name, asked in sorted(real["tasks"].items()))
            print(place, ",".join(sorted(set(verdicts.values()))), theirs, ours, told, sep="\t", flush=True)
    print(dict(counts), file=sys.stderr)


if __name__ == "__main__":
    main()
