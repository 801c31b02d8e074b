#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/model/pools/cluster.h"

namespace gpulint {

/// The largest number of nodes of a declared pool, and where it is written.
struct PoolSize {
  std::int64_t most = 0;
  Node node;
};
/// The maximum in declarations for eksctl, kOps, EKS (Terraform, Cluster API), AKS and GKE (times
/// the number of zones if it is for each zone); the fixed size of a pool without autoscaling; for
/// Cluster API the autoscaler's annotation or the replicas. nullopt if unknown.
[[nodiscard]] std::optional<PoolSize> largest_size(const NodePool& pool);

[[nodiscard]] bool is_karpenter_pool(const NodePool& pool);

/// `limits` of a Karpenter pool of either API version; empty for other pools.
[[nodiscard]] std::vector<ResourceEntry> karpenter_limits(const NodePool& pool);

}  // namespace gpulint
