#include "compiler/engine/rule.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/base/text.h"
#include "compiler/edit/edits.h"
#include "compiler/ir/read.h"
#include "compiler/model/facts/gpu_catalog.h"
#include "compiler/model/facts/machine_catalog.h"
#include "compiler/model/pools/aks_pools.h"
#include "compiler/schedule/placement_analysis.h"
#include "compiler/schedule/pool_accelerators.h"
#include "rules/invalid-node-pool/karpenter_flaws.h"
#include "rules/invalid-node-pool/tool_errors.h"
#include "rules/support/placement_causes.h"
#include "rules/support/queries.h"

namespace gpulint::rules::invalid_node_pool {
namespace {

/// Reports a pool of GPU nodes whose limit of pods is used up by DaemonSets that certainly run on
/// each node. DaemonSets outside of the inputs count in addition.
void report_pod_limit(const NodePool& pool, const Reservation& reserved, Reporter& reporter) {
  const Field<std::int64_t>& most = pool.max_pods;
  if (!most.is_known() || most.value() < 1 || has_accelerators(pool) != Ternary::yes) return;
  if (reserved.amount < most.value()) return;
  Finding finding = reporter.report(
      most.node(), "{} already use{} up the limit of {} pod{} per node in {}",
      most.value() == 1 ? describe(*reserved.daemons.front()) : "DaemonSets",
      most.value() == 1 ? "s" : "", most.value(), most.value() == 1 ? "" : "s", describe(pool));
  finding.related(name_node(pool), "the limit applies to this pool")
      .help(
          "raise `{}` above the number of DaemonSet pods, including kube-proxy and the network "
          "plugin. Otherwise the nodes accept no other pod",
          most.node().key().text());
  relate_workloads(finding, reserved.daemons, "runs on each node of the pool");
}

/// Reports a `gpuInstanceProfile` that AKS does not know, or on a machine whose GPUs cannot be
/// partitioned (Microsoft, "Create a multi-instance GPU node pool": A100, H100 and H200).
void report_aks_profile(const Corpus& corpus, const NodePool& pool, Reporter& reporter) {
  const Node at = aks_gpu_profile(pool);
  const Field<std::string> profile = at ? read_string(at) : Field<std::string>{};
  if (!profile.is_known() || profile.value().empty()) return;
  if (!is_listed(aks_gpu_profiles, profile.value())) {
    Finding finding = reporter.report(at, "AKS has no GPU instance profile `{}`", profile.value());
    finding.help("use one of `{}`. Otherwise AKS rejects the pool",
                 fmt::join(aks_gpu_profiles, "`, `"));
    const auto meant = nearest(profile.value(), aks_gpu_profiles);
    if (!meant || at.text() != profile.value()) return;
    finding.fix(Safety::unsafe, fmt::format("write `{}`", *meant),
                replace_string(*corpus.sources, at, *meant));
    return;
  }
  if (pool.machine_types.size() != 1) return;
  const Machine* const machine = find_machine(pool.machine_types.front().value);
  const bool is_whole =
      machine != nullptr && !machine->is_open &&
      (machine->accelerators.empty() ||
       (!machine->product.empty() && mig_gpus_of_product(machine->product).empty()));
  if (!is_whole) return;
  reporter
      .report(at, "machine type `{}` does not support the GPU instance profile `{}`",
              pool.machine_types.front().value, profile.value())
      .related(pool.machine_types.front().node, "this machine type has no GPU that supports MIG")
      .help("remove `{}`, or use a machine type with A100, H100 or H200 GPUs", at.key().text());
}

/// Whether the pool has GPU nodes or mentions GPUs.
[[nodiscard]] bool concerns_gpus(const NodePool& pool) {
  if (looks_like_gpu_nodes(pool)) return true;
  return pool.node && any_below(pool.node, [](Node at) {
           if (mentions_gpu(at.key().text())) return true;
           if (!at.is_scalar()) return false;
           const Machine* const machine = find_machine(at.text());
           return mentions_gpu(at.text()) || (machine != nullptr && !machine->accelerators.empty());
         });
}

[[nodiscard]] bool is_told(Node around, std::span<const Diagnostic> found) {
  return std::ranges::any_of(found, [&](const Diagnostic& finding) {
    const Span span = around.span();
    return finding.severity == Severity::error && finding.span.file == span.file &&
           finding.span.begin >= span.begin && finding.span.end <= span.end;
  });
}

void check_pod_limits(const Corpus& corpus, std::span<const Diagnostic> found, Reporter& reporter) {
  if (corpus.placement == nullptr || !corpus.placement->nodes) return;
  for (const NodeClass& nodes : corpus.placement->nodes->placement().classes()) {
    const auto pods = std::ranges::find(nodes.node.reserved, "pods", &Reservation::resource);
    if (pods == nodes.node.reserved.end()) continue;
    for (const std::size_t index : nodes.pools) {
      const NodePool& pool = corpus.cluster.pools[index];
      if (!is_told(pool.node, found)) report_pod_limit(pool, *pods, reporter);
    }
  }
}

void check_after(const Corpus& corpus, std::span<const Diagnostic> found, Reporter& reporter) {
  check_pod_limits(corpus, found, reporter);
  for (const NodePool& pool : corpus.cluster.pools) {
    if (pool.source == NodePool::Source::node || !concerns_gpus(pool)) continue;
    if (pool.node && is_told(pool.node, found)) continue;
    if (pool.karpenter != nullptr) {
      report_karpenter_flaws(corpus, pool, reporter);
      report_missing_machines(corpus, pool, reporter);
    } else {
      report_tool_error(corpus, pool, reporter);
    }
    if (pool.karpenter == nullptr) report_machine_flaws(corpus, pool, reporter);
    report_aks_profile(corpus, pool, reporter);
  }
}

}  // namespace

extern constinit const Rule rule{
    .info = {.category = "placement", .fix = FixAvailability::safe, .aliases = "refused-node-pool"},
    .check_after = check_after};

}  // namespace gpulint::rules::invalid_node_pool
