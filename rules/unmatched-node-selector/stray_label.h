#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus.h"
#include "compiler/schedule/placement_analysis.h"

namespace gpulint::rules::unmatched_node_selector {

/// Says of a cause, whose `what` is an UnmatchedRequirement, that a pool has the label in a place
/// from which no node gets it: among tags of machines, or on the declaring object itself. False,
/// and nothing said, where none has.
[[nodiscard]] bool advise_stray_label(const Corpus& corpus, const Cause& cause, Finding& finding);

}  // namespace gpulint::rules::unmatched_node_selector
