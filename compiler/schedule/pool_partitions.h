#pragma once

#include <set>
#include <string>
#include <string_view>

#include "compiler/model/cluster.h"

namespace gpulint {

/// States of a declared pool which of the MIG devices in `resources` (`nvidia.com/mig-…`, as
/// strategy `mixed` calls them) its nodes offer at most, as far as its machines tell: none of a
/// profile that their GPUs do not have, and where AKS cuts the GPUs by itself
/// (`gpuInstanceProfile`) those of its profile alone. `may_share`: each may be offered several
/// times. Nothing that the pool states itself is changed.
void state_partitions(NodePool& pool, const std::set<std::string, std::less<>>& resources,
                      bool may_share);

/// The field by which AKS cuts the pool's GPUs, where `resource` is a MIG device; nothing
/// otherwise.
[[nodiscard]] Node partitions_node(const NodePool& pool, std::string_view resource);

}  // namespace gpulint
