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

/// Pods of Tekton (`steps`), KServe (`predictor.model`), Argo Workflows (argo_pods.h),
/// SparkApplication (spark_pods.h) and of the kinds of component_pods.h; none for other kinds.
[[nodiscard]] std::vector<OperatorPod> read_operator_pods(const KubernetesObject& object);

}  // namespace gpulint
