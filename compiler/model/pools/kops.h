#pragma once

#include "compiler/ir/node.h"
#include "compiler/model/pools/cluster.h"

namespace gpulint {

/// A kOps InstanceGroup: its own taints and labels, with those that kOps adds for its role and for
/// `containerd.nvidiaGPU`, merged and ordered as kOps passes them to the kubelet. The cluster's own
/// kubelet settings are unknown here.
[[nodiscard]] NodePool read_kops(Node object);

}  // namespace gpulint
