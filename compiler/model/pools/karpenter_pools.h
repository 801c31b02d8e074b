#pragma once

#include "compiler/ir/node.h"
#include "compiler/model/cluster.h"

namespace gpulint {

/// A Karpenter NodePool or Provisioner as a pool: labels as the sets that its requirements leave
/// open, taints (startup taints go away by themselves). Whether a pod is compatible is for
/// schedule/karpenter to say.
[[nodiscard]] NodePool read_karpenter_node_pool(Node object);

}  // namespace gpulint
