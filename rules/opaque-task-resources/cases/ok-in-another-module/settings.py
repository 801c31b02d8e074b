from flytekit import Resources
from flytekit.extras.accelerators import GPUAccelerator

BIG = Resources(gpu="8")
COMMON = dict(requests=BIG, limits=BIG, accelerator=GPUAccelerator("nvidia-l4"))
