#!/usr/bin/env python3
"""Asks Flyte's own functions for the pods that they build upon PodTemplates and for overridden tasks, over cases made at random.

usage: record.py FLYTE1 FLYTE2 FILE [--count N] [--seed S]

FLYTE1, FLYTE2: checkouts of flyteorg/flyte (v1.16.8; Flyte 2). The functions are taken out of
flyteplugins/go/tasks/pluginmachinery/flytek8s and compiled into oracle/ beside this file, which has what they call; needs Go.
`gpulint_flyte_test 'pods upon*'` compares, of another FILE with GPULINT_BASE_PODS=FILE.
"""
import argparse
import json
import pathlib
import random
import re
import shutil
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
FUNCTIONS = """MergeResources MergeResourcesIfMissing resolvePlatformDefaults AdjustOrDefaultResource ensureResourceLimit
ensureResourceRange adjustResourceRequirement ApplyResourceOverrides ExtractContainerResourcesFromPodTemplate
AddRequiredNodeSelectorRequirements containsNodeSelectorRequirement ApplyInterruptibleNodeSelectorRequirement
ApplyInterruptibleNodeAffinity ApplyPlatformSchedulingConstraints UpdatePod MergeBasePodSpecOntoTemplate ApplyGPUNodeSelectors
GetPodTolerations getAcceleratorConfig getAllAcceleratorResourceNames getAcceleratorResourceName addTolerationInPodSpec
GetNormalizedAcceleratorDevice getConfiguredDeviceClasses podRequiresAccelerator""".split()
HEAD = """package v%d

import (
	"context"
	"errors"
	"strings"

	"github.com/imdario/mergo"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/sets"
	"oracle/config"
	"oracle/core"
	"oracle/logger"
	"oracle/utils"
)

var (
	_ = context.Background
	_ = errors.New
	_ = strings.ToUpper
	_ = resource.MustParse
	_ = logger.Infof
	_ = utils.UnionMaps
	_ core.GPUAccelerator
)

type Meta interface {
	IsInterruptible() bool
	GetK8sServiceAccount() string
}

const (
	defaultContainerTemplateName     = "default"
	defaultInitContainerTemplateName = "default-init"
	primaryContainerTemplateName     = "primary"
	primaryInitContainerTemplateName = "primary-init"
	resourceGPU                      = "gpu"
	ResourceNvidiaGPU                = "nvidia.com/gpu"
	assignIfUnset                    = true
)

"""
KEYS = ["nvidia.com/gpu", "dedicated", "spot"]
GPU = "nvidia.com/gpu"


def take_functions(checkout, version, folder):
    """Writes the functions of a checkout as the package `v1` or `v2`."""
    sources = checkout / "flyteplugins/go/tasks/pluginmachinery/flytek8s"
    text = "".join(path.read_text() for path in sorted(sources.glob("*.go")) if not path.name.endswith("_test.go"))
    parts = [re.search(r"^type ResourceRequirement struct \{.*?^}\n", text, re.S | re.M).group(0)]
    for name in FUNCTIONS:
        if found := re.search(rf"^func {name}\(.*?^}}\n", text, re.S | re.M):
            parts.append(found.group(0).replace("pluginsCore.TaskExecutionMetadata", "Meta"))
    package = folder / f"v{version}"
    package.mkdir()
    (package / "taken.go").write_text(HEAD % version + "\n".join(parts))


class Maker:
    """Makes cases."""

    def __init__(self, seed):
        self.rng = random.Random(seed)

    def maybe(self, share, make):
        return make() if self.rng.random() < share else None

    def toleration(self):
        made = {"key": self.rng.choice(KEYS), "operator": self.rng.choice(["Exists", "Equal"]),
                "effect": self.rng.choice(["NoSchedule", "NoExecute"])}
        if made["operator"] == "Equal":
            made["value"] = self.rng.choice("ab")
        return made

    def requirement(self):
        made = {"key": self.rng.choice(["zone", "pool"]), "operator": self.rng.choice(["In", "Exists"])}
        if made["operator"] == "In":
            made["values"] = [self.rng.choice("xyz")]
        return made

    def affinity(self):
        rng, node, made = self.rng, {}, {}
        if rng.random() < .7:
            terms = [{"matchExpressions": [self.requirement() for _ in range(rng.choice([1, 2]))]} for _ in range(rng.choice([1, 1, 2]))]
            node["requiredDuringSchedulingIgnoredDuringExecution"] = {"nodeSelectorTerms": terms}
        if rng.random() < .4:
            node["preferredDuringSchedulingIgnoredDuringExecution"] = [
                {"weight": rng.randrange(1, 5), "preference": {"matchExpressions": [self.requirement()]}}]
        if node:
            made["nodeAffinity"] = node
        if rng.random() < .4:
            made["podAntiAffinity"] = {"requiredDuringSchedulingIgnoredDuringExecution": [
                {"topologyKey": rng.choice(["host", "zone"]), "labelSelector": {"matchLabels": {"a": rng.choice("12")}}}]}
        return made

    def selector(self):
        return {key: self.rng.choice("ab") for key in self.rng.sample(["pool", "zone", "disk"], self.rng.choice([1, 2]))}

    def amounts(self, names, share):
        of = {GPU: ["1", "2", "4"], "cpu": ["1", "2", "500m"]}
        return {name: self.rng.choice(of.get(name, ["1Gi", "2Gi"])) for name in names if self.rng.random() < share}

    def resources(self, share):
        limits = self.amounts([GPU, "memory", "cpu", "ephemeral-storage"], share)
        requests = self.amounts(["memory", "cpu"], share)
        if GPU in limits and self.rng.random() < .5:
            requests[GPU] = limits[GPU]
        return filled({"limits": limits, "requests": requests})

    def template(self):
        names = self.rng.sample(["default", "primary", "main", "sidecar"], self.rng.choice([1, 2, 2, 3]))
        spec = filled({
            "containers": [filled({"name": name, "image": "noop", "resources": self.resources(.45)}) for name in names],
            "tolerations": self.maybe(.6, lambda: [self.toleration() for _ in range(self.rng.choice([1, 2]))]),
            "nodeSelector": self.maybe(.5, self.selector), "affinity": self.maybe(.5, self.affinity),
            "schedulerName": self.maybe(.3, lambda: "tmpl"), "runtimeClassName": self.maybe(.5, lambda: "nvidia")})
        return {"apiVersion": "v1", "kind": "PodTemplate", "metadata": {"name": "base", "namespace": "flyte"}, "template": {"spec": spec}}

    def settings(self):
        return filled({
            "resource-tolerations": self.maybe(.5, lambda: {name: [self.toleration()] for name in self.rng.sample([GPU, "cpu"], 1)}),
            "default-tolerations": self.maybe(.3, lambda: [self.toleration()]),
            "interruptible-tolerations": self.maybe(.5, lambda: [self.toleration()]),
            "default-node-selector": self.maybe(.4, self.selector), "interruptible-node-selector": self.maybe(.3, self.selector),
            "default-affinity": self.maybe(.3, self.affinity), "scheduler-name": self.maybe(.3, lambda: "volcano"),
            "interruptible-node-selector-requirement": self.maybe(.3, self.requirement),
            "non-interruptible-node-selector-requirement": self.maybe(.3, self.requirement)})

    def pod_of_task(self, task):
        """The pod that the task comes to, and how its container is called."""
        amounts = self.resources(.4)
        if self.rng.random() < .5:
            for part, of_part in amounts.items():
                task[part] = {("gpu" if name == GPU else name): amount for name, amount in of_part.items()}
            return {"containers": [filled({"name": "exec", "image": "i", "resources": amounts})]}, "exec"
        primary = self.rng.choice(["primary", "main", "default"])
        pod = filled({
            "containers": [filled({"name": primary, "image": "i", "resources": amounts})],
            "tolerations": self.maybe(.4, lambda: [self.toleration()]), "nodeSelector": self.maybe(.4, self.selector),
            "affinity": self.maybe(.4, self.affinity), "runtimeClassName": self.maybe(.3, lambda: "own"),
            "schedulerName": self.maybe(.3, lambda: "mine")})
        task.update({"target": "k8s_pod", "<primary>": primary, "podSpec": json.loads(json.dumps(pod)), **amounts})
        return pod, primary

    def case(self, number):
        """A case as the test has it, and what the functions are asked."""
        flyte, settings, template = 1 + number % 2, self.settings(), self.template()
        task = {"name": "t", "interruptible": self.rng.random() < .4}
        config = dict(settings)
        if self.rng.random() < .5:
            task["podTemplateName"] = "base"
        else:
            config["default-pod-template-name"] = "base"
        devices = [{"device": "nvidia-t4"}, {"device": "nvidia-tesla-a100", "partitionSize": "1g.5gb"},
                   {"device": "nvidia-tesla-a100", "unpartitioned": True}]
        accelerator = self.maybe(.5, lambda: self.rng.choice(devices))
        if accelerator:
            task["accelerator"] = accelerator
        pod, primary = self.pod_of_task(task)
        case = {"id": f"base-{number:03}", "flyte": str(flyte), "config": {"plugins": {"k8s": config}}, "task": task, "template": template}
        return case, {"flyte": flyte, "config": settings, "interruptible": task["interruptible"], "accelerator": accelerator,
                      "primary": primary, "pod": pod, "template": template}


    def override_case(self, number):
        """A task of Flyte 1 whose node has other amounts of GPUs; what is missing keeps the task's."""
        amounts = [None, "1", "2", "4", "8"]
        own = {part: self.rng.choice(amounts) for part in ("requests", "limits")}
        over = {part: self.rng.choice(amounts) for part in ("requests", "limits")}
        if not any(own.values()):
            own["requests"] = "1"
        if not any(over.values()):
            over["requests"] = "2"
        task, override = ({part: {"gpu": amount} for part, amount in of.items() if amount} for of in (own, over))
        case = {"id": f"override-{number:03}", "flyte": "1", "config": {"plugins": {"k8s": {}}},
                "task": {"name": "t", **task, "overrides": override}, "template": self.plain_template()}
        as_pod = lambda of: {part: {GPU: amounts["gpu"]} for part, amounts in of.items()}
        return case, {"flyte": 1, "config": {}, "primary": "exec", "template": case["template"], "override": as_pod(override),
                      "pod": {"containers": [{"name": "exec", "image": "i", "resources": as_pod(task)}]}}

    @staticmethod
    def plain_template():
        return {"apiVersion": "v1", "kind": "PodTemplate", "metadata": {"name": "base", "namespace": "flyte"},
                "template": {"spec": {"containers": [{"name": "default", "image": "noop"}]}}}


def filled(mapping):
    """Without what is empty."""
    return {key: value for key, value in mapping.items() if value not in (None, {}, [])}


def without_empty(value):
    """The same at every depth."""
    if isinstance(value, dict):
        return {key: without_empty(inner) for key, inner in value.items() if inner not in (None, {}, [], "")}
    return [without_empty(inner) for inner in value] if isinstance(value, list) else value


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("flyte1", type=pathlib.Path)
    parser.add_argument("flyte2", type=pathlib.Path)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--overrides", type=int, default=30)
    parser.add_argument("--seed", type=int, default=7)
    asked = parser.parse_args()
    maker = Maker(asked.seed)
    made = [maker.case(number) for number in range(asked.count)]
    made += [maker.override_case(number) for number in range(asked.overrides)]
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place) / "oracle"
        shutil.copytree(HERE / "oracle", folder)
        take_functions(asked.flyte1, 1, folder)
        take_functions(asked.flyte2, 2, folder)
        subprocess.run(["go", "mod", "tidy"], cwd=folder, check=True)
        subprocess.run(["go", "build", "-o", "ask", "."], cwd=folder, check=True)
        ran = subprocess.run([folder / "ask"], input=json.dumps([question for _, question in made]), capture_output=True, text=True,
                             check=True)
    with asked.file.open("w") as file:
        for (case, _), answer in zip(made, json.loads(ran.stdout), strict=True):
            file.write(json.dumps({**case, "expect": without_empty(answer)}) + "\n")


if __name__ == "__main__":
    main()
