#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>

#include "compiler/model/pools/cluster.h"
#include "compiler/schedule/predicates.h"
#include "compiler/schedule/ternary.h"

namespace gpulint {

/// The cluster with facts about its nodes that the inputs do not state, as far as the pods request
/// them; pool for pool. What the inputs state does not change.
/// - The resources and labels of the machines of declared pools are added.
/// - Machines without accelerators offer none. Labels of other providers are absent.
/// - A label that every kubelet sets is unknown if no node has it, because such Nodes are
///   incomplete. So is a label that an operator selects by itself, because discovery has not run.
/// - Resources that only a scheduler extender, DRA or another device plugin may know are unknown.
/// `virtual_resources` may exist although no node lists them (virtual_resources.h).
[[nodiscard]] Cluster mark_unknowns(const Cluster& cluster, std::span<const PreparedPod> pods,
                                    const std::set<std::string, std::less<>>& virtual_resources);

/// Whether nodes of the pool, in a cluster of this provider, have the label. If the pool does not
/// state it, labels of other providers are absent, and labels that only its own tool could set.
[[nodiscard]] Ternary carries_label(const NodePool& pool, Provider provider, std::string_view key);

}  // namespace gpulint
