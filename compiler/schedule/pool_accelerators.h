#pragma once

#include <string_view>

#include "compiler/model/pools/cluster.h"
#include "compiler/schedule/ternary.h"

namespace gpulint {

/// Whether nodes of the pool have accelerators, by their resources, labels, taints and machine
/// types. Labels and taints can show them before a device plugin has run.
[[nodiscard]] Ternary has_accelerators(const NodePool& pool);

/// Whether the pool has a sign of GPU nodes: the evidence of has_accelerators(), or a taint for GPU
/// nodes with any key (`sku=gpu`).
[[nodiscard]] bool looks_like_gpu_nodes(const NodePool& pool);

/// Whether the label shows that GKE installs no driver. The nodes then offer no GPU until someone
/// installs it.
[[nodiscard]] bool lacks_driver(const PoolLabel& label);

/// Whether machines of this type certainly have no accelerator: by the table of types, else by name
/// (EC2 families, GCE series without attachable GPUs, Azure sizes outside the N series).
[[nodiscard]] bool is_machine_without_accelerators(std::string_view machine_type);

}  // namespace gpulint
