#pragma once

#include "compiler/ir/node.h"
#include "compiler/model/pools/cluster.h"

namespace gpulint {

/// A Karpenter NodePool or Provisioner as a pool: labels with the values that its requirements
/// allow, and taints (startup taints are removed later). schedule/karpenter decides whether a pod
/// is compatible.
[[nodiscard]] NodePool read_karpenter_node_pool(Node object);

}  // namespace gpulint
