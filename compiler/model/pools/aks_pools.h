#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/model/cluster.h"
#include "compiler/model/objects.h"

namespace gpulint {

/// An AKS node pool as Terraform's azurerm and Azure Service Operator spell its fields.
struct AksFields {
  std::string_view labels;
  std::string_view taints;  ///< A list of `KEY=VALUE:EFFECT`.
  std::string_view size;
  std::string_view priority;
};

/// `values` declares the pool.
[[nodiscard]] NodePool read_aks_pool(std::string name, Node values, const AksFields& fields,
                                     NodePool::Source source);

/// Pools of Azure Service Operator (containerservice.azure.com; Azure/azure-service-operator,
/// api/containerservice): a ManagedClustersAgentPool, the `agentPoolProfiles` of a ManagedCluster.
/// Empty of other objects.
[[nodiscard]] std::vector<NodePool> read_service_operator(const KubernetesObject& object);

}  // namespace gpulint
