#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "backends/placement.h"
#include "compiler/api_validation/api_problem.h"
#include "compiler/base/source_file.h"
#include "compiler/flyte/inject.h"
#include "compiler/model/cluster.h"
#include "compiler/schedule/placement.h"
#include "compiler/schedule/verdict.h"

namespace gpulint {

/// One scope's placement with what the API server says of the workloads.
struct PlacementReport {
  const Placement& placement;
  /// What every output calls a workload, one each: `Pod/default/train`.
  std::vector<std::string> names;
  /// One list a workload, in the placement's order; empty where the API server accepts it.
  std::vector<std::vector<ApiProblem>> refusals;
  /// What stops each workload before the nodes, one list each (schedule/gates).
  std::vector<std::vector<Obstacle>> obstacles = {};
  std::string cluster = {};  ///< The scope's name; may be empty.
  /// The compiled pod that a workload is of, one a workload; null for those of manifests.
  std::vector<const flyte::CompiledPod*> compiled = {};
  /// What text shows: of an owner and the objects that it created one, where they fit alike.
  struct Row {
    std::size_t workload = 0;
    std::string name;
  };
  std::vector<Row> rows = {};
  /// Tasks that Flyte refuses: there is no pod to place.
  std::vector<const flyte::CompiledPod*> refused_tasks = {};
};

/// How a workload of the report fits at best, the API server and all gates included.
[[nodiscard]] Ternary best_of(const PlacementReport& report, std::size_t workload);

/// `gpulint place --format json`. In very large clusters nodes that are alike share a place.
void emit_placement_json(const std::vector<PlacementReport>& reports, const SourceSet& sources,
                         std::ostream& out);

/// A matrix of workloads × nodes, alike nodes in one column, in the scheduler's words; a list
/// instead where there are more columns than can be read, or than the terminal holds. On a terminal
/// the verdict comes first, and cells are coloured where it takes colours.
void emit_placement_text(const std::vector<PlacementReport>& reports,
                         const Presentation& presentation, std::ostream& out);

/// The same as the report's matrix, cut where a page could not hold it.
[[nodiscard]] PlacementMatrix placement_matrix(const PlacementReport& report);

/// `gpulint nodes`: what is known of each pool, and where it is from.
void emit_nodes_json(const std::vector<const Cluster*>& clusters, const SourceSet& sources,
                     std::ostream& out);

/// Nodes that differ by nothing but their name stand together. On a terminal the verdict comes
/// first: how many have GPUs, and what they offer.
void emit_nodes_text(const std::vector<const Cluster*>& clusters, const SourceSet& sources,
                     const Presentation& presentation, std::ostream& out);

/// `gpulint debug admit`: the tolerations after ExtendedResourceToleration.
void emit_tolerations_json(const std::vector<Toleration>& tolerations, std::ostream& out);

}  // namespace gpulint
