#include "frontend/relevance.h"

#include <catch2/catch.hpp>

namespace gpulint {

TEST_CASE("Whatever rules speak of concerns GPUs") {
  for (const auto* text :
       {"limits: {nvidia.com/gpu: 1}", "alpha.kubernetes.io/nvidia-gpu: 1", "tolerations: []",
        "kind: Node", "kind: NodePool", "resource-tolerations: {}", "mig-configs:",
        "migStrategy: x", "num-gpus: \"1\"", "# gpulint: ignore[x]", "amd.com/gpu: 1",
        "google.com/tpu: 4", "a: b\n'kind': \"Node\"\nc: d", "KIND:  AWSMachinePool",
        "apiVersion: example.com/v12alpha1", "amiType: x", "\ntaints:", "- /dev/kfd"}) {
    INFO(text);
    CHECK(may_concern_gpus(text));
  }
}

TEST_CASE("Other documents are skipped") {
  CHECK_FALSE(
      may_concern_gpus("kind: Service\nmetadata: {name: web}\nspec: {ports: [{port: 80}]}\n"));
  CHECK_FALSE(may_concern_gpus("kind:\nNode"));  // no pattern goes beyond a line
  CHECK_FALSE(may_concern_gpus("alpha: /v1\ntype: ami\nmachine: pool"));
}

}  // namespace gpulint
