#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/ir/node.h"
#include "compiler/model/workload.h"
#include "compiler/schedule/known_nodes.h"

namespace gpulint {

// How many pods fit the nodes at the same time, if no node is added.

/// The accelerators that one pod requests.
struct DeviceDemand {
  std::string resource;
  std::int64_t amount = 0;  ///< At least 1.
  Node node;                ///< The key of the request.
};
/// nullopt if the pod requests none, several kinds, or an unknown amount.
[[nodiscard]] std::optional<DeviceDemand> device_demand(const PreparedPod& pod);

/// Whether nothing adds nodes: cluster-autoscaler is not among the workloads, and no Node has a
/// label of a provider's node pool or of an autoscaler. Declared pools have a maximum
/// (device_amount). False without nodes.
[[nodiscard]] bool are_nodes_fixed(const ScopeModel& model);

/// The amount of the resource on a node, or the most that a declared pool can have; nullopt if
/// unknown. `pool` is a member of the class.
[[nodiscard]] std::optional<std::int64_t> device_amount(const KnownNodes& nodes,
                                                        std::size_t node_class,
                                                        const NodePool& pool,
                                                        std::string_view resource);

/// The line with the maximum of a declared pool; null for other pools.
[[nodiscard]] Node device_amount_node(const NodePool& pool, std::string_view resource);

/// Capacity for pods of one kind on the nodes that they may fit, if those are empty. nullopt if an
/// amount is unknown.
struct Capacity {
  std::int64_t devices = 0;
  std::int64_t pods = 0;
};
[[nodiscard]] std::optional<Capacity> capacity_for(const KnownNodes& nodes, const PreparedPod& pod,
                                                   const DeviceDemand& demand);

}  // namespace gpulint
