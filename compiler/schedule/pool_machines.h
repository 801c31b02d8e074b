#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/model/facts/machine_catalog.h"
#include "compiler/model/pools/cluster.h"
#include "compiler/model/pools/pool_facts.h"

namespace gpulint {

// What pools offer by the machines that they are made of.

/// The machines that nodes of the pool can be; nullopt where others may be meant.
[[nodiscard]] std::optional<std::vector<const Machine*>> known_machines(const NodePool& pool);

/// Where the machines are written: a machine type, or Karpenter's requirement of types or families;
/// else the pool itself.
[[nodiscard]] Node machines_node(const NodePool& pool);

[[nodiscard]] Node machines_node(const KarpenterPool& pool);

/// The most that one of the machines has; nullopt: open, as shared or partitioned devices are.
[[nodiscard]] std::optional<std::int64_t> most_of(const std::vector<const Machine*>& machines,
                                                  std::string_view resource,
                                                  bool may_share_devices);

/// What of it pods can get at most: of processors (in thousandths) and memory one less, since the
/// kubelet and the system keep a part, however small.
[[nodiscard]] std::int64_t left_for_pods(std::string_view resource, std::int64_t amount);

/// What a machine of a declared pool has, if pods get less than that (left_for_pods()); `left` is
/// what they get. nullopt if they get all.
[[nodiscard]] std::optional<std::int64_t> machine_bound(const NodePool& pool,
                                                        std::string_view resource,
                                                        std::int64_t left);

/// Whether the pool's own declaration speaks of GPUs that are shared or partitioned.
[[nodiscard]] bool may_share_devices(const NodePool& pool);

/// States of the pool what its machines, or its accelerators' count, offer at most: of `resources`
/// and of the accelerators that they have. Nothing that the pool states itself is changed; a Node
/// states all.
void state_machine_offers(NodePool& pool, const std::set<std::string, std::less<>>& resources,
                          bool may_share_devices);

/// The line that says how many of the resource a machine of the pool has; else machines_node().
[[nodiscard]] Node offer_node(const NodePool& pool, std::string_view resource);

/// Those of `labels` that nodes get by their machine or by the pool's name, where the pool says
/// nothing else of them.
void state_machine_labels(NodePool& pool, const std::set<std::string, std::less<>>& labels);

}  // namespace gpulint
