#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus/corpus.h"
#include "compiler/schedule/placement_analysis.h"

namespace gpulint::rules::unmatched_node_selector {

/// Says what nodes carry instead of what a cause, whose `what` is an UnmatchedRequirement, demands,
/// and offers to demand that where a workload that demands it was placed.
void advise(const Corpus& corpus, const Cause& cause, Finding& finding);

/// Whether it asks by `nvidia.com/gpu.product` for a GPU that the machines of the pool do not have.
[[nodiscard]] bool is_of_other_gpu(const Cause& cause);

/// Says which GPU they have; false where something else is the matter.
[[nodiscard]] bool advise_other_gpu(const Corpus& corpus, const Cause& cause, Finding& finding);

/// Says of a cause, whose `what` is an UnmatchedRequirement, that a pool has the label in a place
/// from which no node gets it: among tags of machines, or on the declaring object itself. False,
/// and nothing said, where none has.
[[nodiscard]] bool advise_stray_label(const Corpus& corpus, const Cause& cause, Finding& finding);

}  // namespace gpulint::rules::unmatched_node_selector
