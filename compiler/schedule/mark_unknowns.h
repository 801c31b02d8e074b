#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>

#include "compiler/model/pools/cluster.h"
#include "compiler/schedule/predicates.h"
#include "compiler/schedule/ternary.h"

namespace gpulint {

/// The cluster with what is known of its nodes in addition to the inputs, as far as the pods
/// request it; pool for pool. Nothing that the inputs state changes.
/// - What the machines of declared pools offer and carry is added.
/// - Machines without accelerators offer none, and labels of other providers are absent.
/// - Labels that every kubelet sets and that no node carries are unknown: such Nodes are abridged.
///   So are those that an operator selects by itself: discovery has not run.
/// - Resources that only a scheduler extender, DRA or another device plugin may know are unknown.
/// `virtual_resources` may exist although no node lists them (virtual_resources.h).
[[nodiscard]] Cluster mark_unknowns(const Cluster& cluster, std::span<const PreparedPod> pods,
                                    const std::set<std::string, std::less<>>& virtual_resources);

/// Whether nodes of the pool, in a cluster of this provider, carry the label: beside what the pool
/// says, labels of other providers are not there, nor are labels that only its own tool could set.
[[nodiscard]] Ternary carries_label(const NodePool& pool, Provider provider, std::string_view key);

}  // namespace gpulint
