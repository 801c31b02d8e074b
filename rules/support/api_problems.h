#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/model/corpus.h"
#include "compiler/schedule/api/api_problem.h"

namespace gpulint::rules {

/// What the API server refuses in an object that concerns GPUs.
struct ApiFinding {
  ApiProblem problem;
  const Workload* workload = nullptr;  ///< A pod of the object; null where it makes none.
};

/// Every such problem of the scope. An object concerns GPUs where one of its pods asks for one or
/// may do, where the problem lies in a toleration, selector or label that names a GPU, or where it
/// is a Node or a quota with GPUs. Of custom resources only the pods are judged.
[[nodiscard]] std::vector<ApiFinding> find_api_problems(const Corpus& corpus);

/// Whether the path leads through a list or map of this name: `tolerations`, `nodeSelector` …
[[nodiscard]] bool leads_through(const ApiProblem& problem, std::string_view field);

/// A list or mapping where the API takes another type.
[[nodiscard]] bool is_wrong_shape(const ApiProblem& problem);

/// A GPU in the resources of the whole pod, which are for cpu, memory and huge pages only.
[[nodiscard]] bool is_pod_level_gpu(const ApiProblem& problem);

}  // namespace gpulint::rules
