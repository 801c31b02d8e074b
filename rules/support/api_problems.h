#pragma once

#include <string_view>
#include <vector>

#include "compiler/api_validation/api_problem.h"
#include "compiler/engine/corpus.h"

namespace gpulint::rules {

// Queries about a problem that the API server would report.

/// Whether the path leads through a list or map of this name: `tolerations`, `nodeSelector` …
[[nodiscard]] bool leads_through(const ApiProblem& problem, std::string_view field);

/// The type that the API requires instead of a wrong one: `string`, `list`, `mapping` …
[[nodiscard]] std::string_view wanted_type(const ApiProblem& problem);

/// The field of the problem, by the key that uses it: an alias refers to a value that is written
/// under another key.
[[nodiscard]] std::string_view last_field(const ApiProblem& problem);

/// A list or mapping where the API requires another type, or a scalar where it requires one of
/// these.
[[nodiscard]] bool is_wrong_shape(const ApiProblem& problem);

/// A GPU in the resources of the whole pod, which accept only cpu, memory and huge pages.
[[nodiscard]] bool is_pod_level_gpu(const ApiProblem& problem);

// Problems outside of the objects of `Corpus::api`.

/// In tolerations, node selectors and affinity that Flyte's configuration adds to pods, at their
/// lines there. Without the problems of flyte-value-type (unknown words, `Exists` with a value) and
/// without requirements in the form of tolerations.
[[nodiscard]] std::vector<ApiProblem> find_flyte_problems(const Corpus& corpus);

/// Invalid taints that pools of Karpenter, eksctl and gpulint.yaml declare for GPU nodes. Without
/// pools in a cloud's own vocabulary (`NO_SCHEDULE`).
[[nodiscard]] std::vector<ApiProblem> find_pool_problems(const Corpus& corpus);

/// Required `Gt` and `Lt` of GPU pods and of Flyte's configuration whose value is not a whole
/// number. The API server accepts them, but in the scheduler the term is an error and matches no
/// node.
[[nodiscard]] std::vector<const SelectorRequirement*> find_unordered(const Corpus& corpus);

}  // namespace gpulint::rules
