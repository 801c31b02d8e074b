#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <vector>

#include "backends/placement_output.h"
#include "compiler/project/project.h"
#include "compiler/schedule/placement.h"

namespace gpulint {

/// Where the workloads of a project can run, scope by scope.
struct Placements {
  std::deque<Placement> placements;
  std::deque<Workload> queued;  ///< Workloads with what Kueue adds to them (queued_pods.h).
  std::deque<flyte::CompiledPod> refused;  ///< Unreadable tasks, or under bad configuration.
  std::deque<flyte::CompiledPod> assumed;  ///< Where no task is declared and pools may have GPUs.
  std::vector<PlacementReport> reports;    ///< Of scopes that have workloads or tasks; point above.
  std::vector<const Scope*> scopes;        ///< Of each report.
  std::size_t node_count = 0;              ///< Nodes and pools in those scopes.
  /// A cluster that by all evidence runs ExtendedResourceToleration, which nobody has declared, and
  /// where that decides; null where there is none.
  const Cluster* undeclared_admission = nullptr;
};

/// Holds the workloads of manifests and the pods that Flyte makes of tasks against the nodes of
/// their scope, and says what the API server refuses. The project must outlive the result.
[[nodiscard]] Placements place_workloads(const Project& project);

/// One sentence on a cluster that by all evidence runs ExtendedResourceToleration, which nobody has
/// declared; empty where there is none.
[[nodiscard]] std::string describe_admission(const Placements& placed);

/// Scope and name of a workload: equal in a project that was read again.
[[nodiscard]] std::string workload_key(const PlacementReport& report, std::size_t workload);

}  // namespace gpulint
