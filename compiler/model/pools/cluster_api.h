#pragma once

#include <span>
#include <vector>

#include "compiler/model/cluster.h"
#include "compiler/model/objects.h"

namespace gpulint {

/// Cluster API's MachineDeployments and MachinePools, with what the bootstrap configuration that
/// they name (KubeadmConfigTemplate, EKSConfigTemplate …, among the same objects) tells the
/// kubelet. Control planes are left out.
[[nodiscard]] std::vector<NodePool> read_cluster_api(std::span<const KubernetesObject> objects);

}  // namespace gpulint
