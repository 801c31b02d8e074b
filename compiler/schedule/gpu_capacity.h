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

// How many pods find room beside each other, on nodes of which there will be no more.

/// The accelerators that one pod takes.
struct DeviceDemand {
  std::string resource;
  std::int64_t amount = 0;  ///< At least 1.
  Node node;                ///< The key of the request.
};
/// Nothing where the pod asks for none, for several kinds, or for an open amount.
[[nodiscard]] std::optional<DeviceDemand> device_demand(const PreparedPod& pod);

/// Whether no Node object shows a sign of a pool that can grow: a label of a provider's node pool
/// or of an autoscaler. How large declared pools may become, device_amount() says.
[[nodiscard]] bool are_nodes_fixed(const Cluster& cluster);

/// How much of the resource a node says that it offers, or a declared pool can at most; `pool` is a
/// member of the class. Nothing where it does not say.
[[nodiscard]] std::optional<std::int64_t> device_amount(const KnownNodes& nodes,
                                                        std::size_t node_class,
                                                        const NodePool& pool,
                                                        std::string_view resource);

/// The line that keeps a declared pool from growing beyond that; nothing for others.
[[nodiscard]] Node device_amount_node(const NodePool& pool, std::string_view resource);

/// Capacity for pods of one kind on nodes that may take them, were those empty. Nothing where an
/// amount is open.
struct Capacity {
  std::int64_t devices = 0;
  std::int64_t pods = 0;
};
[[nodiscard]] std::optional<Capacity> capacity_for(const KnownNodes& nodes, const PreparedPod& pod,
                                                   const DeviceDemand& demand);

}  // namespace gpulint
