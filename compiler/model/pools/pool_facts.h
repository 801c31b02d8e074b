#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "compiler/model/facts/machine_catalog.h"
#include "compiler/model/pools/cluster.h"

namespace gpulint {

/// The machines that nodes of the pool can be, by its machine types or by the types or families
/// that a Karpenter pool requires; nullopt if one of them is unknown, or if there are none.
[[nodiscard]] std::optional<std::vector<const Machine*>> machines_of(const NodePool& pool);

/// The most of an accelerator that a machine of the pool has, before partitioning and sharing: 0 is
/// certain, more is not. nullopt: unknown.
[[nodiscard]] std::optional<std::int64_t> most_of(const NodePool& pool, std::string_view resource);

/// The newest minor version in `status.nodeInfo.kubeletVersion` of Nodes, or in eksctl's
/// ClusterConfig; nullopt if there is none, 0 if it is a placeholder. The API server may be up to
/// three versions newer.
[[nodiscard]] std::optional<int> newest_kubelet_minor(const Cluster& cluster);

}  // namespace gpulint
