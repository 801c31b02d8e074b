#pragma once

// schedule: pods and nodes → whether each pod fits each node, and the reasons, as the scheduler and
// Karpenter decide. Unknown facts give the verdict unknown. It does not know rules, findings or
// output.

#include <deque>
#include <optional>
#include <vector>

#include "compiler/model/scope/scope_model.h"
#include "compiler/schedule/causes.h"
#include "compiler/schedule/known_nodes.h"
#include "compiler/schedule/predicates.h"

namespace gpulint {

/// The analysis that the placement rules share, one for each scope.
struct PlacementAnalysis {
  ExtendedResourceToleration admission = ExtendedResourceToleration::unknown;
  /// The value for which causes are found: off if it is unknown. Causes that the plugin would
  /// remove are marked (UntoleratedTaint::is_for_admission).
  ExtendedResourceToleration assumed = ExtendedResourceToleration::off;
  /// Pods as Kueue admits them, compared with the nodes in addition to the original ones
  /// (queued_pods.h).
  std::deque<Workload> queued;
  std::deque<Workload> operands;    ///< DaemonSets of charts and operators (operands.h).
  std::optional<KnownNodes> nodes;  ///< nullopt if the scope has no nodes.
  std::vector<Cause> causes;        ///< In order of workloads; equal ones merged.
  std::vector<Cause> daemon_gaps;   ///< For DaemonSets that GPU nodes need (daemon_coverage.h).
};
/// `jobs`: threads, as in parallel_for().
[[nodiscard]] PlacementAnalysis analyze_placement(const ScopeModel& model, unsigned jobs = 1);

/// Whether the admission plugin runs: as declared, else the default of the provider (declared or
/// inferred), else unknown.
[[nodiscard]] ExtendedResourceToleration extended_resource_toleration(const ScopeModel& model);

/// The value that all commands use: off if the above is unknown.
[[nodiscard]] ExtendedResourceToleration assumed_admission(const ScopeModel& model);

}  // namespace gpulint
