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

/// The analysis that the placement rules share, made once a scope.
struct PlacementAnalysis {
  ExtendedResourceToleration admission = ExtendedResourceToleration::unknown;
  /// What causes are found under: off where it is unknown. Causes that the plugin would remove are
  /// marked (UntoleratedTaint::is_for_admission).
  ExtendedResourceToleration assumed = ExtendedResourceToleration::off;
  /// Pods as queues let them in, held against nodes beside the given ones (queued_pods.h).
  std::deque<Workload> queued;
  std::deque<Workload> operands;    ///< What charts and operators make (operands.h).
  std::optional<KnownNodes> nodes;  ///< Of a scope that knows nodes.
  std::vector<Cause> causes;        ///< In order of workloads; equal ones merged.
  std::vector<Cause> daemon_gaps;   ///< Of DaemonSets that GPU nodes need (daemon_coverage.h).
};
/// `jobs`: threads, as in parallel_for().
[[nodiscard]] PlacementAnalysis analyze_placement(const ScopeModel& model, unsigned jobs = 1);

/// Whether the admission plugin runs: as declared, else as the provider (declared or shown by
/// evidence) has it by default, else unknown.
[[nodiscard]] ExtendedResourceToleration extended_resource_toleration(const ScopeModel& model);

/// What pods are placed under by all commands: off where the above is unknown.
[[nodiscard]] ExtendedResourceToleration assumed_admission(const ScopeModel& model);

}  // namespace gpulint
