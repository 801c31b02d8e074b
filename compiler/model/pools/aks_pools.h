#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/model/objects.h"
#include "compiler/model/pools/cluster.h"

namespace gpulint {

/// An AKS node pool as Terraform's azurerm and Azure Service Operator spell its fields.
struct AksFields {
  std::string_view labels;
  std::string_view taints;  ///< A list of `KEY=VALUE:EFFECT`.
  std::string_view size;
  std::string_view priority;
};

/// `values` is the pool's declaration.
[[nodiscard]] NodePool read_aks_pool(std::string name, Node values, const AksFields& fields,
                                     NodePool::Source source);

/// The profiles that AKS offers for GPUs.
inline constexpr auto aks_gpu_profiles =
    std::to_array<std::string_view>({"MIG1g", "MIG2g", "MIG3g", "MIG4g", "MIG7g"});
/// The field of an AKS pool with a profile: `gpuInstanceProfile`, Terraform's `gpu_instance`. Null
/// if it has none, and for other pools.
[[nodiscard]] Node aks_gpu_profile(const NodePool& pool);

/// The partitions that AKS itself creates on a node's GPUs at boot.
struct AksPartitions {
  std::string resource;    ///< Its name with strategy `mixed`: `nvidia.com/mig-1g.10gb`.
  std::int64_t count = 0;  ///< For each node.
  Node node;               ///< The field that requests it.
};
/// From the pool's `gpuInstanceProfile` (Terraform: `gpu_instance`) and its machine: `MIG1g` means
/// the GPU's first profile with one slice, and each GPU is filled with it (Azure/AgentBaker,
/// parts/linux/cloud-init/artifacts/mig-partition.sh: profiles 19, 14, 9, 5, 0 of `nvidia-smi mig`;
/// Microsoft, "Create a multi-instance GPU node pool"). nullopt: no such field, or unknown.
[[nodiscard]] std::optional<AksPartitions> aks_partitions(const NodePool& pool);

/// Pools of Azure Service Operator (containerservice.azure.com; Azure/azure-service-operator,
/// api/containerservice): a ManagedClustersAgentPool, the `agentPoolProfiles` of a ManagedCluster.
/// Empty for other objects.
[[nodiscard]] std::vector<NodePool> read_service_operator(const KubernetesObject& object);

}  // namespace gpulint
