#pragma once

// place: a project → placements: which workload or task runs on which nodes of its scope, and what
// refuses it. It does not explain, and does not know rules.

#include <cstddef>
#include <deque>
#include <string>
#include <vector>

#include "compiler/place/placement_report.h"
#include "compiler/project/project.h"
#include "compiler/schedule/placement.h"

namespace gpulint {

/// Where the workloads of a project can run, scope by scope.
struct Placements {
  std::deque<Placement> placements;
  /// Workloads with what Kueue (queued_pods.h) or a RuntimeClass adds to them.
  std::deque<Workload> admitted;
  std::deque<flyte::CompiledPod> refused;  ///< Unreadable tasks, or under bad configuration.
  std::deque<flyte::CompiledPod> assumed;  ///< Where no task is declared and pools may have GPUs.
  std::vector<PlacementReport> reports;    ///< Of scopes that have workloads or tasks; point above.
  std::vector<const Scope*> scopes;        ///< Of each report.
  std::size_t node_count = 0;              ///< Nodes and pools in those scopes.
  /// One sentence on a cluster that by all evidence runs ExtendedResourceToleration without a
  /// declaration, where that decides; empty where there is none.
  std::string admission_note;
};

/// Holds the workloads of manifests and the pods that Flyte makes of tasks against the nodes of
/// their scope, and says what the API server refuses. The project must outlive the result.
[[nodiscard]] Placements place_workloads(const Project& project);

/// The tolerations that the first pod has once ExtendedResourceToleration has added its own: of a
/// workload, or of a document that is a PodSpec.
[[nodiscard]] std::vector<Toleration> tolerations_of_first_pod(const Project& project);

}  // namespace gpulint
