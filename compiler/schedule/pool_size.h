#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/model/pools/cluster.h"

namespace gpulint {

/// How many nodes a declared pool can come to, and the line that says so.
struct PoolSize {
  std::int64_t most = 0;
  Node node;
};
/// The maximum of eksctl, kOps, EKS (Terraform, Cluster API), AKS and GKE, per zone times the zones
/// that are known; the fixed size of a pool that nothing scales; the replicas or the autoscaler's
/// annotation of Cluster API's machines. Nothing where the declaration leaves it open.
[[nodiscard]] std::optional<PoolSize> largest_size(const NodePool& pool);

[[nodiscard]] bool is_karpenter_pool(const NodePool& pool);

/// `limits` of a Karpenter pool, in its place of either version; empty for other pools.
[[nodiscard]] std::vector<ResourceEntry> karpenter_limits(const NodePool& pool);

}  // namespace gpulint
