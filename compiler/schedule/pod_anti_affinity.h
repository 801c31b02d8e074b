#pragma once

#include <cstdint>
#include <optional>

#include "compiler/ir/node.h"
#include "compiler/model/workload.h"
#include "compiler/schedule/known_nodes.h"

namespace gpulint {

/// What prevents two pods of the workload on one node: a required pod anti-affinity by hostname
/// against the pods' own labels, or a host port. Null if neither is certain.
[[nodiscard]] Node keeps_apart(const Workload& workload);

/// The number of nodes that may fit the pod; nullopt if none may, or if some are declared pools.
[[nodiscard]] std::optional<std::int64_t> count_nodes_for(const KnownNodes& nodes,
                                                          const PreparedPod& pod);

}  // namespace gpulint
