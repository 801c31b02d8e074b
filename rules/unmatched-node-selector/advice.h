#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus.h"
#include "rules/support/shared_causes.h"

namespace gpulint::rules::unmatched_node_selector {

/// Says what nodes carry instead of what a cause, whose `what` is an UnmatchedRequirement, demands,
/// and offers to demand that where a workload that demands it was placed.
void advise(const Corpus& corpus, const SharedCause& shared, Finding& finding);

}  // namespace gpulint::rules::unmatched_node_selector
