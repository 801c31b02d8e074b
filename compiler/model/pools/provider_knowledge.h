#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "compiler/ir/field.h"
#include "compiler/model/cluster.h"

namespace gpulint {

// What a cloud provider adds to nodes beyond what a pool declares: likely (PoolLabel::provider,
// NodePool::provider_taints), never as certain as a given node.

enum class EksCapacity : std::uint8_t { on_demand, spot };
/// Labels of a managed nodegroup.
void add_eks_knowledge(NodePool& pool, EksCapacity capacity);

/// A GKE node pool.
struct GkePool {
  Field<std::string> accelerator;  ///< Type of `guest_accelerator`; absent without one.
  Field<std::int64_t> count;
  Field<std::string> partition_size;  ///< `1g.5gb`; absent where the GPU is whole.
  bool is_spot = false;
};
/// Labels, the GPU taint and `nvidia.com/gpu` of a pool with GPUs.
void add_gke_knowledge(NodePool& pool, const GkePool& facts);

enum class AksPriority : std::uint8_t { regular, spot };
void add_aks_knowledge(NodePool& pool, AksPriority priority);

/// What is known from machine types alone: that `nvidia.com/gpu` is offered by the device plugin.
void add_gpu_knowledge(NodePool& pool);

}  // namespace gpulint
