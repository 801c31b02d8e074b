#pragma once

#include <string>
#include <vector>

#include "compiler/model/pools/cluster.h"
#include "compiler/model/workload.h"

namespace gpulint {

// How findings and obstacles name workloads and nodes.

/// Pod `train`, task `train`; one of several pods of an object: worker group `gpu` of RayCluster
/// `ray`, the predictor of InferenceService `llm`. A DaemonSet of a chart or custom resource
/// (operands.h): DaemonSet `dcgm-exporter` (DCGM exporter chart).
[[nodiscard]] std::string describe(const Workload& workload);
/// node `gpu-a`, pool `a100`.
[[nodiscard]] std::string describe(const NodePool& pool);
/// ``container `main` `` or, without a name, `a container`.
[[nodiscard]] std::string describe(const Container& container);

/// The value of a pool's label if it is written after its key, else the node of the label.
[[nodiscard]] Node value_node(const PoolLabel& label);
/// The name of a pool: the line to point at if none is more precise.
[[nodiscard]] Node name_node(const NodePool& pool);

/// `a`, `b`, `c` and 4 more.
[[nodiscard]] std::string list(const std::vector<std::string>& names);

}  // namespace gpulint
