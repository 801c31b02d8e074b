#pragma once

#include <vector>

#include "compiler/ir/node.h"
#include "compiler/model/pools/cluster.h"

namespace gpulint {

/// The nodegroups of an eksctl ClusterConfig, managed ones after the others. Taints are a list or,
/// for self-managed groups only, a map `KEY: VALUE:EFFECT`. Errors are in eksctl's words. Empty if
/// eksctl cannot decode the body.
[[nodiscard]] std::vector<NodePool> read_eksctl(Node object);

}  // namespace gpulint
