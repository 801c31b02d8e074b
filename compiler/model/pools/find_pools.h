#pragma once

#include <span>
#include <vector>

#include "compiler/ir/node.h"
#include "compiler/model/pools/cluster.h"

namespace gpulint {

// model/pools: Node objects and declarations of node pools (Karpenter, eksctl, kOps, clouds,
// Terraform) → NodePool. It separates what a provider adds from what is declared. It does not know
// pods.

/// Every node and node pool that the documents declare, in order: Nodes, Karpenter NodePools and
/// Provisioners, eksctl, kOps, Cluster API, Config Connector, Terraform's JSON, kubelet
/// configuration.
[[nodiscard]] std::vector<NodePool> find_pools(std::span<const Node> document_roots);

}  // namespace gpulint
