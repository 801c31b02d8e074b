#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/schedule/known_nodes.h"
#include "rules/gpu-demand-exceeds-nodes/shares.h"

namespace gpulint::rules::gpu_demand_exceeds_nodes {

/// Pods that want a node each (by a required anti-affinity or a port of the host), and fewer nodes
/// that may take them. Whether there was something to report.
bool check_apart(const KnownNodes& nodes, const Share& share, Reporter& reporter);

}  // namespace gpulint::rules::gpu_demand_exceeds_nodes
