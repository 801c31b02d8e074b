#!/usr/bin/env python3
"""Has `pyflyte package` write the package in testdata/python, and flyteidl's own protobuf read it again.

usage: record_package.py   (needs `pip install flytekit kubernetes`; no cluster, nothing is sent)
"""
import importlib.metadata
import json
import pathlib
import subprocess
import sys
import tarfile

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "testdata/python"
PACKAGE = FOLDER / "flytekit_package.tgz"
RESOURCES = {"requests": True, "limits": True}
EXTENDED = {"gpuAccelerator": True, "sharedMemory": True}
IDENTIFIER = {"resourceType": True, "name": True}
# What of a message counts: `True` is all of it.
TASK = {"template": {
    "id": IDENTIFIER, "type": True, "custom": True, "config": True, "extendedResources": EXTENDED,
    "metadata": {"runtime": {"version": True, "flavor": True}, "interruptible": True, "podTemplateName": True},
    "container": {"resources": RESOURCES}, "k8sPod": {"podSpec": True, "primaryContainerName": True}}}
NODE = {"id": True, "taskNode": {"referenceId": IDENTIFIER,
                                 "overrides": {"resources": RESOURCES, "extendedResources": EXTENDED}}}
NODE["arrayNode"] = {"node": NODE}
BLOCK = {"thenNode": NODE}
NODE["branchNode"] = {"ifElse": {"case": BLOCK, "other": BLOCK, "elseNode": NODE}}
TEMPLATE = {"id": IDENTIFIER, "nodes": NODE}
WORKFLOW = {"template": TEMPLATE, "subWorkflows": TEMPLATE}


def keep(told, wanted):
    """The parts of a message's JSON that are wanted."""
    if wanted is True:
        return told
    if isinstance(told, list):
        return [keep(each, wanted) for each in told]
    return {key: keep(value, wanted[key]) for key, value in told.items() if key in wanted}


def main():
    from flyteidl.admin.task_pb2 import TaskSpec
    from flyteidl.admin.workflow_pb2 import WorkflowSpec
    from google.protobuf.json_format import MessageToDict

    subprocess.run([pathlib.Path(sys.executable).parent / "pyflyte", "--pkgs", "flytekit_tasks", "package", "--image", "i:1",
                    "--output", PACKAGE, "--force"], cwd=FOLDER, check=True, stdout=subprocess.DEVNULL)
    told = []
    with tarfile.open(PACKAGE) as archive:
        for name in sorted(archive.getnames()):
            kind, wanted = {"_1.pb": (TaskSpec, TASK), "_2.pb": (WorkflowSpec, WORKFLOW)}.get(name[-5:], (None, None))
            if kind:
                message = kind.FromString(archive.extractfile(name).read())
                told.append(keep(MessageToDict(message), wanted))
    record = {"sdk": f"flytekit {importlib.metadata.version('flytekit')}", "told": told}
    (FOLDER / "flytekit_package.json").write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
