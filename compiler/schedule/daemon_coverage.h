#pragma once

#include <vector>

#include "compiler/schedule/causes.h"
#include "compiler/schedule/known_nodes.h"

namespace gpulint {

/// Why GPU DaemonSets certainly miss GPU nodes: an UntoleratedTaint of nodes that they select, or
/// an UnmatchedRequirement if they select no GPU node (NoNodeFits if nodes without GPUs meet it).
/// Nodes that another DaemonSet of the same role may serve are left out.
[[nodiscard]] std::vector<Cause> find_daemon_gaps(const KnownNodes& nodes);

}  // namespace gpulint
