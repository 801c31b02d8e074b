#pragma once

#include <string_view>
#include <vector>

#include "compiler/ir/node.h"
#include "compiler/model/pools/cluster.h"

namespace gpulint {

/// Whether a document is the output of `terraform show -json` (or OpenTofu), of a plan or a state.
[[nodiscard]] bool is_terraform(Node root);

/// The node pools among its resources, including modules: google_container_node_pool and the pools
/// inside google_container_cluster, aws_eks_node_group (with the kubelet arguments in its launch
/// template's user data), azurerm_kubernetes_cluster_node_pool and default_node_pool.
[[nodiscard]] std::vector<NodePool> read_terraform(Node root);

/// A block of a resource's values that may occur once, which Terraform's JSON wraps into a list;
/// null if there is none.
[[nodiscard]] Node terraform_block(Node values, std::string_view name);

/// The field names in Config Connector's ContainerCluster and Terraform's google_container_cluster.
struct AutoProvisioningFields {
  std::string_view autopilot;
  std::string_view autoscaling;
  std::string_view limits;
  std::string_view limit_type;
};

/// The nodes that GKE's node auto-provisioning would create for pods, if the cluster has it: those
/// without GPUs, and those with GPU types for which the cluster has a limit. Without any limit for
/// GPUs it creates none ("no.scale.up.nap.pod.gpu.no.limit.defined" of GKE's autoscaler). Labels
/// and taints are those that the pods request, so they are unknown. Empty for Autopilot clusters,
/// which need no limits.
[[nodiscard]] std::vector<NodePool> read_auto_provisioning(Node cluster, NodePool::Source source,
                                                           const AutoProvisioningFields& fields);

}  // namespace gpulint
