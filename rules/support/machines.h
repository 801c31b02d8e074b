#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "compiler/engine/corpus.h"
#include "compiler/engine/reporter.h"
#include "compiler/model/pools/cluster.h"
#include "compiler/schedule/placement_analysis.h"

namespace gpulint::rules {

/// The machine types of a declared pool: `` `g4ad.2xlarge` ``; empty if they are unknown.
[[nodiscard]] std::string list_machines(const NodePool& pool);

/// ``machine type `g4ad.2xlarge` of pool `gpu` has only 1``, of the resource. Empty if the machines
/// are unknown, or if `amount` is not the most that one of them has.
[[nodiscard]] std::string describe_machines(const NodePool& pool, std::string_view resource,
                                            std::int64_t amount);

/// Adds the line of a declared pool that sets its machines, which lack the resource, unless the
/// cause has another place. Whether the line now shows describe_machines(), if that is known.
bool relate_machines(Finding& finding, const Cause& cause, std::string_view resource);

/// Adds the places of GPU Nodes that show why they offer none of the resource (an amount of zero,
/// no driver on GKE, an invalid MIG layout), and a help if the finding has none.
void explain_idle_nodes(Finding& finding, const Corpus& corpus, std::string_view resource);

}  // namespace gpulint::rules
