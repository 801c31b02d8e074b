import flyte
from flyte.app import AppEnvironment

app = AppEnvironment(
    name="llm",
    image="example.com/vllm:1",
    args=["serve"],
    resources=flyte.Resources(gpu="L40s:4"),
)
