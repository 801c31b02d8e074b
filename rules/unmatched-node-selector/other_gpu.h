#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus.h"
#include "compiler/schedule/placement_analysis.h"

namespace gpulint::rules::unmatched_node_selector {

/// Whether it asks by `nvidia.com/gpu.product` for a GPU that the machines of the pool do not have.
[[nodiscard]] bool is_of_other_gpu(const Cause& cause);

/// Says which GPU they have; false where something else is the matter.
[[nodiscard]] bool advise_other_gpu(const Corpus& corpus, const Cause& cause, Finding& finding);

}  // namespace gpulint::rules::unmatched_node_selector
