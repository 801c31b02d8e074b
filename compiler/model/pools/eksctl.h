#pragma once

#include <vector>

#include "compiler/ir/node.h"
#include "compiler/model/cluster.h"

namespace gpulint {

/// The nodegroups of an eksctl ClusterConfig, managed ones after the others. Taints come as a list
/// or, for self-managed groups only, as a map `KEY: VALUE:EFFECT`. An error is what eksctl says; a
/// body that it cannot decode leaves nothing.
[[nodiscard]] std::vector<NodePool> read_eksctl(Node object);

}  // namespace gpulint
