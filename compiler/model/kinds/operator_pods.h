#pragma once

#include <string>
#include <vector>

#include "compiler/model/facts/kubernetes_kinds.h"
#include "compiler/model/objects.h"
#include "compiler/model/workload.h"

namespace gpulint {

/// A pod that an operator creates from its own fields, without a `containers` list.
struct OperatorPod {
  std::string role;
  PodSpec pod;
};

/// The pods that `facts`, the row of the object's kind, describes (`pods`); none for most kinds.
[[nodiscard]] std::vector<OperatorPod> read_operator_pods(const KubernetesObject& object,
                                                          const KindFacts& facts);

}  // namespace gpulint
