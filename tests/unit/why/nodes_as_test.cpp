#include "compiler/why/nodes_as.h"

#include <string>

#include <catch2/catch.hpp>

#include "compiler/why/devices.h"
#include "tests/unit/why/scene.h"

namespace gpulint::why {
namespace {

using test::Scene;

[[nodiscard]] NodePool pool_of(const std::string& labels, const std::string& allocatable) {
  const Scene scene("{apiVersion: v1, kind: Node, metadata: {name: n, labels: {" + labels +
                    "}}, status: {allocatable: {" + allocatable + "}}}\n");
  NodePool pool = scene.pool();
  pool.node = {};  // of a text that ends here
  return pool;
}

}  // namespace

TEST_CASE("resources and labels tell how nodes offer partitions") {
  CHECK(partitioning_of(pool_of("", "nvidia.com/gpu: 8")) == Partitioning::none);
  CHECK(partitioning_of(pool_of("", "nvidia.com/mig-1g.5gb: 7")) == Partitioning::mixed);
  CHECK(partitioning_of(pool_of("nvidia.com/gpu.product: NVIDIA-A100-SXM4-40GB-MIG-1g.5gb",
                                "nvidia.com/gpu: 7")) == Partitioning::single);
  CHECK(
      partitioning_of(pool_of("nvidia.com/mig.strategy: single, nvidia.com/mig.config: all-1g.5gb",
                              "nvidia.com/gpu: 7")) == Partitioning::single);
  // The strategy alone cuts nothing.
  CHECK(partitioning_of(
            pool_of("nvidia.com/mig.strategy: single, nvidia.com/mig.config: all-disabled",
                    "nvidia.com/gpu: 1")) == Partitioning::none);
  CHECK(partitioning_of(pool_of("cloud.google.com/gke-gpu-partition-size: 1g.5gb",
                                "nvidia.com/gpu: 7")) == Partitioning::gke);
}

TEST_CASE("the size is known where there is one only") {
  CHECK(partition_size_of(pool_of("", "nvidia.com/mig-2g.10gb: 3")) == "2g.10gb");
  CHECK(partition_size_of(pool_of("", "nvidia.com/mig-2g.10gb: 2, nvidia.com/mig-3g.20gb: 1"))
            .empty());
  CHECK(partition_size_of(pool_of("nvidia.com/mig.config: all-balanced", "nvidia.com/gpu: 7"))
            .empty());
  CHECK(partition_size_of(
            pool_of("nvidia.com/gpu.product: NVIDIA-A100-SXM4-40GB-MIG-1g.5gb", "")) == "1g.5gb");
}

TEST_CASE("under strategy single each partition is a GPU, and the product has the size") {
  NodePool pool =
      pool_of("nvidia.com/gpu.product: NVIDIA-A100-SXM4-40GB, nvidia.com/mig.strategy: mixed",
              "nvidia.com/gpu: 0, nvidia.com/mig-1g.5gb: 7");
  REQUIRE(make_single(pool));
  CHECK(amount_of(pool, "nvidia.com/gpu") == 7);
  CHECK(amount_of(pool, "nvidia.com/mig-1g.5gb") == 0);
  CHECK(label_value(pool, "nvidia.com/mig.strategy") == "single");
  CHECK(label_value(pool, "nvidia.com/gpu.product") == "NVIDIA-A100-SXM4-40GB-MIG-1g.5gb");
  NodePool uneven = pool_of("", "nvidia.com/mig-1g.5gb: 4, nvidia.com/mig-3g.20gb: 1");
  CHECK_FALSE(make_single(uneven));
}

TEST_CASE("GPUs are cut into sizes that they have only, as often as each holds them") {
  NodePool pool = pool_of("nvidia.com/gpu.product: NVIDIA-A100-SXM4-40GB", "nvidia.com/gpu: 8");
  REQUIRE(cut(pool, "1g.5gb"));
  CHECK(amount_of(pool, "nvidia.com/gpu") == 56);  // 7 of each A100, MIG User Guide
  NodePool larger = pool_of("nvidia.com/gpu.product: NVIDIA-A100-SXM4-80GB", "nvidia.com/gpu: 8");
  CHECK_FALSE(cut(larger, "1g.5gb"));
  NodePool unknown = pool_of("", "nvidia.com/gpu: 8");
  CHECK_FALSE(cut(unknown, "1g.5gb"));
}

TEST_CASE("a layout that the GPUs cannot have is told with the one that they can") {
  const NodePool pool = pool_of(
      "nvidia.com/gpu.product: NVIDIA-A100-SXM4-80GB, nvidia.com/mig.config: all-1g.5gb", "");
  CHECK(missing_layout(pool) == "A100-80GB GPUs have no partition `1g.5gb`");
  CHECK(possible_layout(pool) == "1g.10gb");
  const NodePool right = pool_of(
      "nvidia.com/gpu.product: NVIDIA-A100-SXM4-40GB, nvidia.com/mig.config: all-1g.5gb", "");
  CHECK(missing_layout(right).empty());
  CHECK(possible_layout(right).empty());
}

TEST_CASE("Flyte's and NVIDIA's names of one product are the same device") {
  CHECK(has_product(pool_of("nvidia.com/gpu.product: NVIDIA-A100-SXM4-40GB-MIG-1g.5gb", ""),
                    "nvidia-tesla-a100"));
  CHECK(has_product(pool_of("nvidia.com/gpu.product: Tesla-T4-SHARED", ""), "nvidia-tesla-t4"));
  CHECK_FALSE(has_product(pool_of("nvidia.com/gpu.product: Tesla-T4", ""), "nvidia-tesla-a100"));
}

TEST_CASE("what a pool is called is no device") {
  const NodePool pool =
      pool_of("cloud.google.com/gke-nodepool: t4, team: a100", "nvidia.com/gpu: 1");
  CHECK_FALSE(has_product(pool, "nvidia-tesla-t4"));
  CHECK_FALSE(has_product(pool, "nvidia-tesla-a100"));
  CHECK(other_device(pool, "nvidia-tesla-a100").empty());
  CHECK(other_device(pool_of("nvidia.com/gpu.product: Tesla-T4", ""), "nvidia-tesla-a100") ==
        "Tesla-T4");
}

}  // namespace gpulint::why
