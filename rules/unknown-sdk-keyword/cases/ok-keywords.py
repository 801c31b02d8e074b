import flyte
import union
from flytekit import Resources, dynamic, task

COMMON = {"gpu": "1", "mem": "4Gi"}
env = flyte.TaskEnvironment(
    name="a", resources=flyte.Resources(cpu=1, memory="4Gi", gpu="T4:1", disk="1Gi", shm="auto")
)
actor = union.ActorEnvironment(name="b", requests=union.Resources(gpu="1"), ttl_seconds=30)


@env.task(short_name="x", cache="auto")
def one(): ...


@task(
    requests=Resources(cpu="1", mem="4Gi", gpu="1", ephemeral_storage="1Gi"),
    limits=Resources(gpu="1", storage="1Gi"),
    retries=3,
    cache=True,
)
def two(): ...


@dynamic(requests=Resources(**COMMON))
def three(): ...


@actor.task
def four(): ...
