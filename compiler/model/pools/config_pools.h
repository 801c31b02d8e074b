#pragma once

#include <vector>

#include "compiler/ir/node.h"
#include "compiler/model/pools/cluster.h"

namespace gpulint {

/// `nodePools` of gpulint.yaml: a list of {name, labels, taints, allocatable, unschedulable}. What
/// the user does not list is absent, except labels that a provider or an operator adds; resources
/// are complete if `allocatable` is set.
[[nodiscard]] std::vector<NodePool> read_config_pools(Node list);

}  // namespace gpulint
