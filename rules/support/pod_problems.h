#pragma once

#include <vector>

#include "compiler/api_validation/api_problem.h"
#include "compiler/model/corpus/corpus.h"

namespace gpulint::rules {

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
