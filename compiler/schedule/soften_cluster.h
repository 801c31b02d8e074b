#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>

#include "compiler/model/cluster.h"
#include "compiler/schedule/predicates.h"
#include "compiler/schedule/ternary.h"

namespace gpulint {

/// Stands for every resource where a device class leaves its name open.
inline constexpr const char* any_resource = "*";
/// Among them where a device plugin is told to share or to partition devices.
inline constexpr const char* shared_devices = "*shared";

/// The cluster as known_nodes.h says that rules see it, for these pods; pool for pool.
[[nodiscard]] Cluster soften_cluster(const Cluster& cluster, std::span<const PreparedPod> pods,
                                     const std::set<std::string, std::less<>>& virtual_resources);

/// Whether nodes of the pool, in a cluster of this provider, carry the label: beside what the pool
/// says, labels of other providers are not there, nor are labels that only its own tool could set.
[[nodiscard]] Ternary carries_label(const NodePool& pool, Provider provider, std::string_view key);

}  // namespace gpulint
