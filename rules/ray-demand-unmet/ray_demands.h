#pragma once

#include <vector>

#include "compiler/ir/node.h"
#include "compiler/model/ray_cluster.h"
#include "rules/support/queries.h"

namespace gpulint::rules::ray_demand_unmet {

/// GPUs that Ray must find on one node: of a task or actor, or of a placement group's bundle.
struct Demand {
  Node amount;
  bool is_bundle = false;
};
/// Of a RayJob's entrypoint, and of the Serve configuration of a RayService.
[[nodiscard]] std::vector<Demand> find_demands(const RayCluster& cluster,
                                               const EmbeddedIndex& embedded);

}  // namespace gpulint::rules::ray_demand_unmet
