from flytekit import Resources
from flytekit.extras.accelerators import A100

WHERE = A100
ONE = Resources(gpu="1", cpu="4", mem="32Gi")
