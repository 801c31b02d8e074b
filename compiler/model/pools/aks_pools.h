#pragma once

#include <array>
#include <cstdint>
#include <optional>
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

/// The profiles that AKS cuts GPUs into.
inline constexpr auto aks_gpu_profiles =
    std::to_array<std::string_view>({"MIG1g", "MIG2g", "MIG3g", "MIG4g", "MIG7g"});
/// Where a pool of AKS says one: `gpuInstanceProfile`, Terraform's `gpu_instance`. Nothing where it
/// does not, and of other pools.
[[nodiscard]] Node aks_gpu_profile(const NodePool& pool);

/// What AKS cuts the GPUs of a node into by itself when it boots.
struct AksPartitions {
  std::string resource;    ///< As strategy `mixed` calls them: `nvidia.com/mig-1g.10gb`.
  std::int64_t count = 0;  ///< Of a node.
  Node node;               ///< The field that asks for it.
};
/// By the pool's `gpuInstanceProfile` (Terraform: `gpu_instance`) and its machine: `MIG1g` stands for
/// the GPU's first profile of one slice, and each GPU is filled with it (Azure/AgentBaker,
/// parts/linux/cloud-init/artifacts/mig-partition.sh: profiles 19, 14, 9, 5, 0 of `nvidia-smi mig`;
/// Microsoft, «Create a multi-instance GPU node pool»). nullopt: no such field, or not known.
[[nodiscard]] std::optional<AksPartitions> aks_partitions(const NodePool& pool);

/// Pools of Azure Service Operator (containerservice.azure.com; Azure/azure-service-operator,
/// api/containerservice): a ManagedClustersAgentPool, the `agentPoolProfiles` of a ManagedCluster.
/// Empty of other objects.
[[nodiscard]] std::vector<NodePool> read_service_operator(const KubernetesObject& object);

}  // namespace gpulint
