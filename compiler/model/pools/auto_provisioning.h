#pragma once

#include <string_view>
#include <vector>

#include "compiler/model/cluster.h"

namespace gpulint {

/// As Config Connector's ContainerCluster and Terraform's google_container_cluster spell them.
struct AutoProvisioningFields {
  std::string_view autopilot;
  std::string_view autoscaling;
  std::string_view limits;
  std::string_view limit_type;
};

/// The nodes that GKE's node auto-provisioning would make for pods, where the cluster has it: those
/// without GPUs, and those with GPUs of the types for which the cluster has a limit; without any
/// limit for GPUs it makes none («no.scale.up.nap.pod.gpu.no.limit.defined» of GKE's autoscaler).
/// Labels and taints are what the pods ask for, thus open. Nothing of Autopilot's clusters, which
/// need no limits.
[[nodiscard]] std::vector<NodePool> read_auto_provisioning(Node cluster, NodePool::Source source,
                                                           const AutoProvisioningFields& fields);

}  // namespace gpulint
