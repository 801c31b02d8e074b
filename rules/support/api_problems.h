#pragma once

#include <string_view>
#include <vector>

#include "compiler/api_validation/api_problem.h"
#include "compiler/model/corpus/corpus.h"

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

// What the API server refuses beyond the objects of `Corpus::api`.

/// In every pod that Flyte makes: tolerations, node selectors and affinity of its configuration,
/// at the lines that say them. What flyte-value-type says (words that are none, `Exists` with a
/// value) and requirements in the form of tolerations are left out.
[[nodiscard]] std::vector<ApiProblem> find_flyte_problems(const Corpus& corpus);

/// Taints that pools of Karpenter, eksctl and gpulint.yaml give to GPU nodes, and that no node can
/// have. Pools in a cloud's own vocabulary (`NO_SCHEDULE`) are left out.
[[nodiscard]] std::vector<ApiProblem> find_pool_problems(const Corpus& corpus);

/// Required `Gt` and `Lt` of pods that concern GPUs, and of Flyte's, whose value is no whole
/// number. The API server takes them; the scheduler makes an error of the term, and no node
/// matches.
[[nodiscard]] std::vector<const SelectorRequirement*> find_unordered(const Corpus& corpus);

}  // namespace gpulint::rules
