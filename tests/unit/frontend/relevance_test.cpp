#include "frontend/relevance.h"

#include <catch2/catch.hpp>

namespace gpulint {

TEST_CASE("Whatever rules speak of concerns GPUs") {
  for (const auto* text :
       {"limits: {nvidia.com/gpu: 1}", "alpha.kubernetes.io/nvidia-gpu: 1", "tolerations: []",
        "kind: Node", "kind: NodePool", "resource-tolerations: {}",
        "mig-configs:", "migStrategy: x", "num-gpus: \"1\"", "# gpulint: ignore[x]",
        "amd.com/gpu: 1", "google.com/tpu: 4"}) {
    INFO(text);
    CHECK(may_concern_gpus(text));
  }
}

TEST_CASE("Other documents are skipped") {
  CHECK_FALSE(
      may_concern_gpus("kind: Service\nmetadata: {name: web}\nspec: {ports: [{port: 80}]}\n"));
}

}  // namespace gpulint
