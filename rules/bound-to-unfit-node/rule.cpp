#include "compiler/engine/rule.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "compiler/engine/reporter.h"
#include "compiler/ir/read.h"
#include "compiler/model/gpu_resource.h"
#include "compiler/schedule/placement_analysis.h"
#include "compiler/schedule/pool_accelerators.h"
#include "compiler/schedule/predicates.h"
#include "rules/bound-to-unfit-node/unassigned_share.h"
#include "rules/support/causes.h"
#include "rules/support/queries.h"

namespace gpulint::rules::bound_to_unfit_node {
namespace {

/// A pod that a cluster answered, and that has come up: its node took it.
[[nodiscard]] bool has_come_up(const Workload& workload) {
  const Node status = workload.object.get("status");
  return workload.kind.equals("Pod") && status.size() > 0 &&
         !read_string(status, "phase").equals("Failed");
}

/// The Node object of this name; null where there is none.
[[nodiscard]] const NodePool* find_node(const Cluster& cluster, const std::string& name) {
  const auto found = std::ranges::find_if(cluster.pools, [&](const NodePool& pool) {
    return pool.source == NodePool::Source::node && pool.name == name;
  });
  return found == cluster.pools.end() ? nullptr : &*found;
}

/// The amount is there, but less than what the pod asks for; or the node has no accelerator at all,
/// and then the kubelet does not look (kubernetes/kubernetes pkg/kubelet/lifecycle/predicate.go,
/// removeMissingExtendedResources: kubernetes#60332, #96506).
void check_resource(Reporter& reporter, const Workload& workload, const NodePool& node,
                    const Reason& reason) {
  if (!is_gpu_resource(reason.detail)) return;
  const bool is_missing = !reason.pool_node;
  if (is_missing && has_accelerators(node) != Ternary::no) return;
  const Node name = workload.pod.node_name.node();
  Finding finding =
      is_missing ? reporter.report(name, "{} is bound to node `{}`, which has no `{}`",
                                   describe(workload), node.name, reason.detail)
                 : reporter.report(name, "{} is bound to node `{}`, which has {} `{}` and not {}",
                                   describe(workload), node.name, reason.offered, reason.detail,
                                   reason.requested);
  finding.related(is_missing ? name_node(node) : reason.pool_node, "the node")
      .related(reason.workload_node, "the request");
  if (is_missing) {
    finding.help(
        "`nodeName` passes the scheduler by, and the kubelet starts the pod without a device: "
        "select GPU nodes by a label instead");
  } else {
    finding.help("`nodeName` passes the scheduler by, and the kubelet refuses the pod: `OutOf{}`",
                 reason.detail);
  }
}

void check_reason(Reporter& reporter, const Workload& workload, const NodePool& node,
                  const Reason& reason) {
  if (reason.holds != Ternary::yes) return;
  if (reason.kind == ReasonKind::insufficient_resource) {
    check_resource(reporter, workload, node, reason);
  }
  // The kubelet looks at no other effect: pkg/kubelet/lifecycle/predicate.go, generalFilter.
  if (reason.kind != ReasonKind::untolerated_taint || !reason.detail.ends_with(":NoExecute")) {
    return;
  }
  reporter
      .report(workload.pod.node_name.node(),
              "{} is bound to node `{}`, whose taint `{}` it does not tolerate", describe(workload),
              node.name, reason.detail)
      .related(reason.pool_node, "the taint")
      .help("the kubelet refuses the pod, or it is evicted at once: tolerate the taint");
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Workload& workload : corpus.workloads) {
    const Field<std::string>& name = workload.pod.node_name;
    const bool is_judged = workload.origin == Workload::Origin::manifest && name.is_known() &&
                           !name.value().empty() && name.node() && !has_come_up(workload);
    if (!is_judged) continue;
    check_claims(reporter, workload);
    check_shares(reporter, workload);
    const NodePool* const node = find_node(corpus.cluster, name.value());
    if (node == nullptr || !concerns_gpus(workload.pod)) continue;
    const Assessment assessment = assess(prepare_pod(workload), PreparedNode(*node));
    for (const Reason& reason : assessment.reasons) {
      check_reason(reporter, workload, *node, reason);
    }
  }
}

}  // namespace

extern constinit const Rule rule;
constinit const Rule rule{
    .info = {.id = "bound-to-unfit-node",
             .category = "placement",
             .summary = "A GPU pod is bound by `nodeName` to a node that cannot give it its GPU.",
             .severity = Severity::error,
             .fix = FixAvailability::none},
    .check = check};

}  // namespace gpulint::rules::bound_to_unfit_node
