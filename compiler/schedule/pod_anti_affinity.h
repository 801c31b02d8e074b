#pragma once

#include <cstdint>
#include <optional>

#include "compiler/ir/node.h"
#include "compiler/model/workload.h"
#include "compiler/schedule/known_nodes.h"

namespace gpulint {

/// What lets one node take no two pods of the workload: a required pod anti-affinity by hostname
/// against the pods' own labels, or a port of the host. Nothing where neither is certain.
[[nodiscard]] Node keeps_apart(const Workload& workload);

/// How many nodes may take the pod; nothing where none may, or they are not given one by one.
[[nodiscard]] std::optional<std::int64_t> count_nodes_for(const KnownNodes& nodes,
                                                          const PreparedPod& pod);

}  // namespace gpulint
