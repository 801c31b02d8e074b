#pragma once

#include <vector>

#include "compiler/ir/node.h"
#include "compiler/model/objects.h"
#include "compiler/model/workload.h"

namespace gpulint {

/// A pod that an operator makes from fields of its own, without a `containers` list.
struct OperatorPod {
  std::string role;
  PodSpec pod;
};

/// Pods of Argo Workflows (`container`, `script`, `containerSet`), Tekton (`steps`), KServe
/// (`predictor.model`) and SparkApplication (`driver`, `executor`) objects; none for other kinds.
[[nodiscard]] std::vector<OperatorPod> read_operator_pods(const KubernetesObject& object);

}  // namespace gpulint
