#pragma once

#include <string>
#include <string_view>

#include "compiler/engine/reporter.h"
#include "compiler/model/cluster.h"
#include "compiler/model/corpus/corpus.h"
#include "compiler/schedule/placement_analysis.h"

namespace gpulint::rules {

/// «pool `gpu` is made of `g4ad.2xlarge`»; empty where its machines are not known.
[[nodiscard]] std::string describe_machines(const NodePool& pool);

/// Names the line of a declared pool that says what its nodes have, where the cause names none.
void relate_machines(Finding& finding, const Cause& cause, std::string_view resource);

/// Names what a GPU Node says of why it offers none of the resource: an amount of zero, GKE's
/// driver left out, a MIG layout that is none; and what to do, where the finding does not say yet.
void explain_idle_nodes(Finding& finding, const Corpus& corpus, std::string_view resource);

}  // namespace gpulint::rules
