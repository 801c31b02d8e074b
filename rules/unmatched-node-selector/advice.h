#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus.h"
#include "compiler/schedule/placement_analysis.h"

namespace gpulint::rules::unmatched_node_selector {

/// Says what nodes carry instead of what a cause, whose `what` is an UnmatchedRequirement, demands,
/// and offers to demand that where a workload that demands it was placed.
void advise(const Corpus& corpus, const Cause& cause, Finding& finding);

}  // namespace gpulint::rules::unmatched_node_selector
