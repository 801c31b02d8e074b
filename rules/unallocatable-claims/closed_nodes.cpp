#include "rules/unallocatable-claims/closed_nodes.h"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "compiler/schedule/placement_analysis.h"
#include "rules/support/causes.h"

namespace gpulint::rules::unallocatable_claims {
namespace {

void report_closed(Reporter& reporter, const Workload& workload, const ClosedNode& closed) {
  const Node claims = workload.pod.node.get("resourceClaims");
  const Reason& reason = closed.reasons.front();
  const bool is_amount = reason.kind == ReasonKind::insufficient_resource;
  Finding finding =
      reporter.report_key(claims, "no node with devices for these claims takes the pod: {}{}",
                          is_amount ? "" : "node(s) ", scheduler_text(reason));
  finding
      .related(reason.pool_node ? reason.pool_node : closed.pool->node.at("metadata", "name"),
               fmt::format("{} would serve them", describe(*closed.pool)))
      .help("{}", reason.kind == ReasonKind::untolerated_taint
                      ? "tolerate the taint: claims bind the pod to nodes that have the devices"
                      : "claims bind the pod to nodes that have the devices");
}

/// Whether another rule says of this pod that no node takes it.
[[nodiscard]] bool is_told_of(const PlacementAnalysis& placement, const Workload& workload) {
  return std::ranges::any_of(placement.causes, [&](const Cause& cause) {
    return std::ranges::find(cause.workloads, &workload) != cause.workloads.end();
  });
}

}  // namespace

void check_closed(const Corpus& corpus, Reporter& reporter, const Ground& ground,
                  const PodClaims& claims, const Workload& workload) {
  if (corpus.placement == nullptr || !corpus.placement->nodes) return;
  if (!is_placement_known(workload) || is_told_of(*corpus.placement, workload)) return;
  const Placement& placement = corpus.placement->nodes->placement();
  const auto workloads = placement.workloads();
  const auto found = std::ranges::find(workloads, &workload);
  if (found == workloads.end()) return;
  const auto index = static_cast<std::size_t>(found - workloads.begin());
  const auto closed = ground.closed_by_others(claims, placement.pod(index));
  if (closed) report_closed(reporter, workload, *closed);
}

}  // namespace gpulint::rules::unallocatable_claims
