#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>

#include "compiler/model/cluster.h"
#include "compiler/schedule/predicates.h"
#include "compiler/schedule/ternary.h"

namespace gpulint {

// What is known of the nodes of a scope beside what the inputs say.

/// The cluster with all that machines offer and carry of which declared pools are made, as far as
/// the pods ask for it; pool for pool. Nodes stay as they are: they state all.
[[nodiscard]] Cluster complete_pools(const Cluster& cluster, std::span<const PreparedPod> pods,
                                     const std::set<std::string, std::less<>>& virtual_resources);

/// The cluster as known_nodes.h says that rules see it, for these pods; pool for pool.
[[nodiscard]] Cluster soften_cluster(const Cluster& cluster, std::span<const PreparedPod> pods,
                                     const std::set<std::string, std::less<>>& virtual_resources);

/// Whether nodes of the pool, in a cluster of this provider, carry the label: beside what the pool
/// says, labels of other providers are not there, nor are labels that only its own tool could set.
[[nodiscard]] Ternary carries_label(const NodePool& pool, Provider provider, std::string_view key);

}  // namespace gpulint
