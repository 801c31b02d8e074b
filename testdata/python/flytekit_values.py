"""Amounts that are not literals; what flytekit makes of them is recorded beside this file."""
import dataclasses
import enum
import os
from dataclasses import dataclass

from flytekit import Resources, task, workflow

NODES = 2
BASE = Resources(gpu="1", mem="1Gi")
SMALL = os.environ.get("GPULINT_SMALL")
DEFAULT = os.getenv("GPULINT_GPUS", "3")


@dataclass
class Config:
    gpus: str
    more: str = "7"


@dataclass(frozen=True)
class Sizes:
    many: int = 6


class Size(enum.Enum):
    BIG = "8"


class Count(enum.IntEnum):
    TWO = 2


config = Config(gpus="4")
sizes = Sizes(many=5)

if SMALL:
    gpu = "1"
    resources = Resources(gpu="0", mem="1Gi")
else:
    gpu = "8"
    resources = Resources(gpu="2", mem="10Gi")

later = "1"
if not SMALL:
    later = "4"


@task(requests=Resources(gpu=gpu), limits=Resources(gpu=gpu))
def branches() -> None: ...


@task(requests=resources, limits=resources)
def branches_of_resources() -> None: ...


@task(requests=Resources(gpu=later))
def changed_in_a_branch() -> None: ...


@task(requests=Resources(gpu="1" if SMALL else "2"))
def both_values() -> None: ...


@task(requests=Resources(gpu="2") if SMALL else Resources(gpu="6"))
def both_resources() -> None: ...


@task(requests=Resources(gpu=None if SMALL else "1", mem="1Gi"), limits=Resources(gpu="1"))
def one_or_none() -> None: ...


@task(requests=Resources(gpu=os.environ.get("GPULINT_GPUS", "2")))
def default_of_environment() -> None: ...


@task(requests=Resources(gpu=DEFAULT))
def default_by_name() -> None: ...


@task(requests=Resources(gpu=str(int(os.environ.get("GPULINT_GPUS", "2")) * 2)))
def default_times_two() -> None: ...


@task(requests=Resources(gpu=config.gpus))
def field() -> None: ...


@task(requests=Resources(gpu=config.more))
def default_of_a_field() -> None: ...


@task(requests=Resources(gpu=str(sizes.many)))
def field_as_text() -> None: ...


@task(requests=Resources(gpu=Size.BIG.value))
def enumerated() -> None: ...


@task(requests=Resources(gpu=f"{Count.TWO.value}"))
def enumerated_number() -> None: ...


@task(requests=dataclasses.replace(BASE, gpu="8"))
def copy() -> None: ...


@task(requests=Resources(gpu=str(NODES * 4)))
def product() -> None: ...


@task(requests=Resources(gpu=f"{NODES * 2 * 2}"))
def product_in_a_string() -> None: ...


@task(requests=Resources(gpu=str(NODES + 1)))
def sum_of_numbers() -> None: ...


@task(requests=Resources(gpu=str(+2)))
def with_a_sign() -> None: ...


@workflow
def work() -> None:
    both_values().with_overrides(requests=Resources(gpu=str(NODES * 2)), limits=Resources(gpu="4"))
