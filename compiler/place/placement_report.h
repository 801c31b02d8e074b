#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "compiler/api_validation/api_problem.h"
#include "compiler/flyte/inject.h"
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
  /// Tasks that Flyte rejects: there is no pod to place.
  std::vector<const flyte::CompiledPod*> refused_tasks = {};
};

/// How a workload of the report fits at best, the API server and all gates included.
[[nodiscard]] Ternary best_of(const PlacementReport& report, std::size_t workload);

/// Scope and name of a workload: equal in a project that was read again.
[[nodiscard]] std::string workload_key(const PlacementReport& report, std::size_t workload);

}  // namespace gpulint
