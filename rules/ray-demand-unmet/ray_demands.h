#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/ir/node.h"
#include "compiler/model/ray_cluster.h"
#include "rules/support/queries.h"

namespace gpulint::rules::ray_demand_unmet {

/// GPUs that Ray must find on one node: of a task or actor, or of a placement group's bundle.
struct Demand {
  enum class What : std::uint8_t {
    task,    ///< Or an actor.
    bundle,  ///< Of a placement group.
    flag     ///< Of the entrypoint's own command, by its name: what it makes of it is its business.
  };
  Node node;           ///< What says so.
  std::string amount;  ///< As written.
  What what = What::task;
};
/// Of a RayJob's entrypoint (`--gpus-per-worker 4` of its command, too), and of the Serve
/// configuration of a RayService.
[[nodiscard]] std::vector<Demand> find_demands(const RayCluster& cluster,
                                               const EmbeddedIndex& embedded);

}  // namespace gpulint::rules::ray_demand_unmet
