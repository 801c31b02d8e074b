#pragma once

#include <vector>

#include "compiler/engine/rule.h"
#include "compiler/ir/node.h"

namespace gpulint::rules {

/// Settings of NVIDIA's GPU Operator.
struct OperatorSettings {
  Node settings;  ///< `spec` of a ClusterPolicy, or values of the operator's chart.
  bool is_chart = false;
  bool has_more = false;  ///< Values that are not among the inputs may add to these.
};
/// All settings among the inputs: those of ClusterPolicies first.
[[nodiscard]] std::vector<OperatorSettings> gpu_operator_settings(const Corpus& corpus);

}  // namespace gpulint::rules
