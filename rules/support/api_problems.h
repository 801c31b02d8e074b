#pragma once

#include <string_view>

#include "compiler/api_validation/api_problem.h"

namespace gpulint::rules {

// Questions about a problem that the API server finds.

/// Whether the path leads through a list or map of this name: `tolerations`, `nodeSelector` …
[[nodiscard]] bool leads_through(const ApiProblem& problem, std::string_view field);

/// What the API takes where the type is wrong: `string`, `list`, `mapping` …
[[nodiscard]] std::string_view wanted_type(const ApiProblem& problem);

/// The field that the problem stands in, under the key that uses it: an alias may stand for what is
/// written under another one.
[[nodiscard]] std::string_view last_field(const ApiProblem& problem);

/// A list or mapping where the API takes another type, or a scalar where it takes one of these.
[[nodiscard]] bool is_wrong_shape(const ApiProblem& problem);

/// A GPU in the resources of the whole pod, which are for cpu, memory and huge pages only.
[[nodiscard]] bool is_pod_level_gpu(const ApiProblem& problem);

}  // namespace gpulint::rules
