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

// What pools offer according to their machine types.

/// The machine types that nodes of the pool can have; nullopt if there may be others.
[[nodiscard]] std::optional<std::vector<const Machine*>> known_machines(const NodePool& pool);

/// Where the machine types are written: a machine type, or Karpenter's requirement for types or
/// families; else the pool.
[[nodiscard]] Node machines_node(const NodePool& pool);

[[nodiscard]] Node machines_node(const KarpenterPool& pool);

/// The largest amount among the machines; nullopt if unknown, as for shared or partitioned devices.
[[nodiscard]] std::optional<std::int64_t> most_of(const std::vector<const Machine*>& machines,
                                                  std::string_view resource,
                                                  bool may_share_devices);

/// The most that pods can get of an amount. For `cpu` (in thousandths) and memory it is one less,
/// because the kubelet and the system reserve a part.
[[nodiscard]] std::int64_t left_for_pods(std::string_view resource, std::int64_t amount);

/// The amount of a machine of a declared pool, if pods get less (left_for_pods()); `left` is what
/// they get. nullopt if they get all.
[[nodiscard]] std::optional<std::int64_t> machine_bound(const NodePool& pool,
                                                        std::string_view resource,
                                                        std::int64_t left);

/// Whether the pool's own declaration mentions shared or partitioned GPUs.
[[nodiscard]] bool may_share_devices(const NodePool& pool);

/// Adds to the pool the most that its machines, or its number of accelerators, offer: of
/// `resources` and of their accelerators. Does not change what the pool states; a Node states all.
void state_machine_offers(NodePool& pool, const std::set<std::string, std::less<>>& resources,
                          bool may_share_devices);

/// Where the amount of the resource of each machine is written; else machines_node().
[[nodiscard]] Node offer_node(const NodePool& pool, std::string_view resource);

/// Adds those of `labels` that nodes receive because of their machine type or the pool's name,
/// unless the pool states them.
void state_machine_labels(NodePool& pool, const std::set<std::string, std::less<>>& labels);

}  // namespace gpulint
