import flytekit as fk
from flytekit.extras import accelerators

where = accelerators.V5E.slice_2x3


@fk.task(accelerator=where)
def one(): ...
