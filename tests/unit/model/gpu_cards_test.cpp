#include "compiler/model/facts/gpu_cards.h"

#include <catch2/catch.hpp>

using gpulint::may_be_same_card;

TEST_CASE("GPU cards: spellings, sizes and shares of one card are the same") {
  CHECK(may_be_same_card("A100", "NVIDIA-A100-SXM4-80GB", true));
  CHECK(may_be_same_card("nvidia-tesla-a100", "NVIDIA-A100-PCIE-40GB", true));
  CHECK(may_be_same_card("Tesla-T4", "Tesla-T4-SHARED", true));
  CHECK(may_be_same_card("NVIDIA-A100-SXM4-40GB-MIG-1g.5gb", "NVIDIA-A100-SXM4-40GB", true));
  CHECK(may_be_same_card("Telsa-T4", "Tesla-T4", true));
  CHECK(may_be_same_card("nvidai", "nvidia", true));
  CHECK(may_be_same_card("g5.xlarge", "g5.2xlarge", false));
  CHECK(may_be_same_card("nvidia.com/mig-1g.10gb", "nvidia.com/mig-1g.5gb", false));
}

// All of these are cards of NVIDIA's; the instance types have H100 and T4 (EC2, "Accelerated
// computing").
TEST_CASE("GPU cards: a name of another card is not a slip") {
  CHECK_FALSE(may_be_same_card("NVIDIA-H100-80GB-HBM3", "Tesla-T4", true));
  CHECK_FALSE(may_be_same_card("NVIDIA-A100-SXM4-80GB", "NVIDIA-H100-SXM5-80GB", true));
  CHECK_FALSE(may_be_same_card("NVIDIA-A10", "NVIDIA-A10G", true));
  CHECK_FALSE(may_be_same_card("NVIDIA-L40", "NVIDIA-L4", true));
  CHECK_FALSE(may_be_same_card("NVIDIA-GeForce-RTX-3090", "NVIDIA-GeForce-RTX-3080", true));
  CHECK_FALSE(may_be_same_card("p5.48xlarge", "g4dn.xlarge", false));
  CHECK_FALSE(may_be_same_card("p5", "g4dn", false));
  CHECK_FALSE(may_be_same_card("pool-h100", "pool-t4", false));
  CHECK_FALSE(may_be_same_card("any", "Tesla-T4", true));
}

TEST_CASE("GPU cards: other values may be anything") {
  CHECK(may_be_same_card("pool-1", "pool-2", false));
  CHECK(may_be_same_card("m5.large", "m6.large", false));
  CHECK(may_be_same_card("zone-a", "zone-b", false));
}
