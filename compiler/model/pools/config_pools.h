#pragma once

#include <vector>

#include "compiler/ir/node.h"
#include "compiler/model/cluster.h"

namespace gpulint {

/// `nodePools` of gpulint.yaml: a list of {name, labels, taints, allocatable, unschedulable}. What
/// the user leaves out is not there, except labels that a provider or an operator adds by itself;
/// resources count as complete where `allocatable` is given.
[[nodiscard]] std::vector<NodePool> read_config_pools(Node list);

}  // namespace gpulint
