#pragma once

#include <string_view>
#include <vector>

#include "compiler/ir/node.h"
#include "compiler/model/cluster.h"

namespace gpulint {

/// Whether a document is what `terraform show -json` (or OpenTofu) prints, of a plan or a state.
[[nodiscard]] bool is_terraform(Node root);

/// The node pools among its resources, modules included: google_container_node_pool and the pools
/// inside google_container_cluster, aws_eks_node_group (with the kubelet arguments in its launch
/// template's user data), azurerm_kubernetes_cluster_node_pool and default_node_pool.
[[nodiscard]] std::vector<NodePool> read_terraform(Node root);

/// A block of a resource's values that may occur once, which Terraform's JSON wraps into a list;
/// absent where there is none.
[[nodiscard]] Node terraform_block(Node values, std::string_view name);

}  // namespace gpulint
