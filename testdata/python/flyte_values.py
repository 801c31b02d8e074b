"""Amounts that are not literals; what Flyte 2's SDK makes of them is recorded beside this file."""
import os

import flyte

DEVICE = "H100"
NODES = 2
SMALL = os.environ.get("GPULINT_SMALL")

branch = flyte.TaskEnvironment(
    name="branch", resources=flyte.Resources(gpu="T4:1" if SMALL else "T4:4")
)
number = flyte.TaskEnvironment(name="number", resources=flyte.Resources(gpu=NODES * 2))
default = flyte.TaskEnvironment(
    name="default", resources=flyte.Resources(gpu=os.environ.get("GPULINT_GPU", "L4:2"))
)
lower = flyte.TaskEnvironment(
    name=f"train-{DEVICE.lower()}", resources=flyte.Resources(gpu=f"{DEVICE}:{NODES * 4}")
)
if SMALL:
    resources = flyte.Resources(cpu=1)
else:
    resources = flyte.Resources(gpu="A100:8")
whole = flyte.TaskEnvironment(name="whole", resources=resources)

changed = flyte.TaskEnvironment(name="changed", resources=flyte.Resources(gpu="L4:1"))


@changed.task
def before_the_change() -> None: ...


changed.resources = flyte.Resources(gpu="L4:4")


@changed.task
def after_the_change() -> None: ...


@branch.task
def in_branch() -> None: ...


@number.task
def of_number() -> None: ...


@default.task
def of_default() -> None: ...


@lower.task
def named() -> None: ...


@whole.task
def of_whole() -> None: ...
