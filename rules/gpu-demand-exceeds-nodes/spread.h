#pragma once

#include <cstdint>
#include <optional>

#include "compiler/ir/node.h"
#include "compiler/schedule/known_nodes.h"
#include "rules/gpu-demand-exceeds-nodes/shares.h"

namespace gpulint::rules::gpu_demand_exceeds_nodes {

/// What lets one node take no two pods of the share: a required pod anti-affinity by hostname
/// against the pods' own labels, or a port of the host. Nothing where neither is certain.
[[nodiscard]] Node apart_by(const Share& share);

/// How many nodes may take a pod of the share; nothing where they are not given one by one.
[[nodiscard]] std::optional<std::int64_t> nodes_for(const KnownNodes& nodes, const Share& share);

}  // namespace gpulint::rules::gpu_demand_exceeds_nodes
