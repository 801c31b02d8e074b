#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "compiler/ir/field.h"
#include "compiler/model/pools/cluster.h"

namespace gpulint {

// What a cloud provider adds to nodes beyond a pool's declaration: likely (PoolLabel::provider,
// NodePool::provider_taints), never as certain as a Node object.

enum class EksCapacity : std::uint8_t { on_demand, spot };
/// Labels of a managed nodegroup.
void add_eks_knowledge(NodePool& pool, EksCapacity capacity);

/// A GKE node pool.
struct GkePool {
  Field<std::string> accelerator;  ///< Type of `guest_accelerator`; absent if there is none.
  Field<std::int64_t> count;
  Field<std::string> partition_size;  ///< `1g.5gb`; absent if the GPU is whole.
  bool is_spot = false;
};
/// Labels, the GPU taint and `nvidia.com/gpu` of a pool with GPUs.
void add_gke_knowledge(NodePool& pool, const GkePool& facts);

enum class AksPriority : std::uint8_t { regular, spot };
void add_aks_knowledge(NodePool& pool, AksPriority priority);

/// What machine types alone imply: the device plugin offers `nvidia.com/gpu`.
void add_gpu_knowledge(NodePool& pool);

}  // namespace gpulint
