#include "rules/gpu-demand-exceeds-nodes/spread.h"

#include <optional>

#include <fmt/format.h>

#include "rules/support/apart.h"
#include "rules/support/causes.h"

namespace gpulint::rules::gpu_demand_exceeds_nodes {

bool check_apart(const KnownNodes& nodes, const Share& share, Reporter& reporter) {
  const Node apart = keeps_apart(*share.workload);
  const auto count = apart && share.pods > 1 ? count_nodes_for(nodes, *share.pod) : std::nullopt;
  if (!count || share.pods <= *count) return false;
  Finding finding =
      reporter.report(apart, "{} pods of {} want a node each, and {} {} `{}`", share.pods,
                      describe(*share.workload), *count,
                      *count == 1 ? "node alone may take them with" : "nodes may take them with",
                      share.demand.resource);
  if (const Node replicas = count_node(share)) {
    finding.related(replicas, fmt::format("{} pods", share.pods));
  }
  finding.related(share.demand.node, "what each of them wants")
      .help("the others stay Pending: start fewer, add nodes, or let two pods share a node");
  return true;
}

}  // namespace gpulint::rules::gpu_demand_exceeds_nodes
