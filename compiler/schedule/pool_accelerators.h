#pragma once

#include <string_view>

#include "compiler/model/pools/cluster.h"
#include "compiler/schedule/ternary.h"

namespace gpulint {

/// Whether nodes of the pool have accelerators: they offer one, carry a label or a taint that says
/// so (before any device plugin has run, too), or are machines that have (or cannot have) any.
[[nodiscard]] Ternary has_accelerators(const NodePool& pool);

/// Whether something about the pool at least looks like GPU nodes: what has_accelerators() takes
/// for evidence, or a taint of any key that speaks of GPUs (`sku=gpu`).
[[nodiscard]] bool looks_like_gpu_nodes(const NodePool& pool);

/// Whether the label says that GKE installs no driver on the nodes: they offer no GPU without one.
[[nodiscard]] bool lacks_driver(const PoolLabel& label);

/// Whether machines of this type are known to have none: by the table of types, else by the naming
/// of EC2 families, of GCE machine series to which no GPU can be attached, of Azure sizes outside
/// the N series.
[[nodiscard]] bool is_machine_without_accelerators(std::string_view machine_type);

}  // namespace gpulint
