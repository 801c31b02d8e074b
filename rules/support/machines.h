#pragma once

#include <string>
#include <string_view>

#include "compiler/engine/corpus.h"
#include "compiler/engine/reporter.h"
#include "compiler/model/pools/cluster.h"
#include "compiler/schedule/placement_analysis.h"

namespace gpulint::rules {

/// ``the machine type of pool `gpu` is `g4ad.2xlarge` ``; empty if its machines are unknown.
[[nodiscard]] std::string describe_machines(const NodePool& pool);

/// Adds the line of a declared pool that sets its machines, unless the cause has another place.
void relate_machines(Finding& finding, const Cause& cause, std::string_view resource);

/// Adds the places of GPU Nodes that show why they offer none of the resource (an amount of zero,
/// no driver on GKE, an invalid MIG layout), and a help if the finding has none.
void explain_idle_nodes(Finding& finding, const Corpus& corpus, std::string_view resource);

}  // namespace gpulint::rules
