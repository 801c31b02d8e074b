#include "compiler/engine/rule.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "compiler/engine/reporter.h"
#include "compiler/model/machine_catalog.h"
#include "compiler/schedule/pool_accelerators.h"
#include "rules/refused-node-pool/aks_profile.h"
#include "rules/refused-node-pool/karpenter_flaws.h"
#include "rules/refused-node-pool/pod_limit.h"
#include "rules/refused-node-pool/pool_fixes.h"
#include "rules/support/causes.h"
#include "rules/support/queries.h"

namespace gpulint::rules::refused_node_pool {
namespace {

/// Pools of other machines are none of a GPU linter's business.
[[nodiscard]] bool concerns_gpus(const NodePool& pool) {
  if (looks_like_gpu_nodes(pool)) return true;
  return pool.node && any_below(pool.node, [](Node at) {
           if (mentions_gpu(at.key().text())) return true;
           if (!at.is_scalar()) return false;
           const Machine* const machine = find_machine(at.text());
           return mentions_gpu(at.text()) || (machine != nullptr && !machine->accelerators.empty());
         });
}

/// Whose errors are known; empty for others.
[[nodiscard]] std::string_view tool_of(const NodePool& pool) {
  if (pool.source == NodePool::Source::eksctl) return "eksctl";
  if (pool.source == NodePool::Source::config_connector) return "Config Connector";
  if (pool.source == NodePool::Source::cluster_api) return "the API server";
  if (pool.source == NodePool::Source::service_operator) return "AKS";
  return pool.source == NodePool::Source::kops ? "kOps" : "";
}

void check_errors(const Corpus& corpus, const NodePool& pool, Reporter& reporter) {
  const bool is_kubelets = pool.error.empty();
  const std::string& error = is_kubelets ? pool.kubelet_error : pool.error;
  // Behind a dash the kubelet explains what names are made of.
  const std::string_view told = std::string_view(error).substr(0, error.find(" - "));
  if (error.empty()) return;
  const ErrorPlace place = find_error_place(pool, error);
  Finding finding =
      reporter.report_span(place.span, name_node(pool), "{} refuses {}: {}",
                           is_kubelets ? "the kubelet" : tool_of(pool), describe(pool), told);
  finding
      .help("{}", is_kubelets ? "its machines start and never join the cluster"
                              : "none of its nodes comes to be until this is mended")
      // Newer releases may know the field.
      .at_most(error.find("unknown field") == std::string::npos ? Severity::error
                                                                : Severity::warning);
  offer_pool_fix(corpus, place.node, error, finding);
}

[[nodiscard]] bool is_told(Node around, std::span<const Diagnostic> found) {
  return std::ranges::any_of(found, [&](const Diagnostic& finding) {
    const Span span = around.span();
    return finding.severity == Severity::error && finding.span.file == span.file &&
           finding.span.begin >= span.begin && finding.span.end <= span.end;
  });
}

void check_rest(const Corpus& corpus, std::span<const Diagnostic> found, Reporter& reporter) {
  for (const NodePool& pool : corpus.cluster.pools) {
    if (pool.source == NodePool::Source::node || !concerns_gpus(pool)) continue;
    if (pool.node && is_told(pool.node, found)) continue;
    if (pool.karpenter != nullptr) {
      report_karpenter_flaws(corpus, pool, reporter);
      report_missing_machines(corpus, pool, reporter);
    } else if (!tool_of(pool).empty() && pool.error.find("role \"\"") == std::string::npos) {
      // A group without a role is one of which only a part is shown.
      check_errors(corpus, pool, reporter);
    }
    if (pool.karpenter == nullptr) report_machine_flaws(corpus, pool, reporter);
    report_pod_limit(corpus, pool, reporter);
    report_aks_profile(corpus, pool, reporter);
  }
}

}  // namespace

extern constinit const Rule rule;
constinit const Rule rule{
    .info = {.id = "refused-node-pool",
             .category = "placement",
             .summary = "A node pool can make no nodes: its tool refuses it, or no machine meets "
                        "what it requires.",
             .severity = Severity::error,
             .fix = FixAvailability::safe},
    .check = nullptr,
    .check_rest = check_rest};

}  // namespace gpulint::rules::refused_node_pool
