#include "compiler/engine/rule.h"

#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "compiler/engine/reporter.h"
#include "compiler/ir/read.h"
#include "compiler/model/machine_catalog.h"
#include "compiler/schedule/pool_accelerators.h"
#include "rules/refused-node-pool/karpenter_flaws.h"
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
  return pool.source == NodePool::Source::kops ? "kOps" : "";
}

/// The first value that is no string where only strings are read; nothing where there is none.
[[nodiscard]] Node find_other_type(const NodePool& pool, std::string_view error) {
  Node found;
  for (const std::string_view map : {"labels", "nodeLabels", "taints"}) {
    if (error.find(fmt::format("decode: {} must be", map)) == error.npos) continue;
    const Node in_spec = pool.node.at("spec", map);
    walk(in_spec ? in_spec : pool.node.get(map), [&](Node at) {
      const bool is_value = at.is_scalar() && !at.is_opaque() && read_string(at).is_mistyped();
      const bool is_item = at.is_mapping() && error.find("list of strings") != error.npos;
      if (!found && (is_value || is_item)) found = at;
    });
  }
  return found;
}

/// What of the pool the error is about: a value of another type, else the longest of its keys and
/// values that it quotes; else its name.
[[nodiscard]] Span place_of(const NodePool& pool, std::string_view error) {
  if (const Node other = find_other_type(pool, error)) return other.span();
  Span place = name_node(pool).span();
  std::size_t longest = 3;  // shorter ones stand in any sentence
  walk(pool.node, [&](Node at) {
    const auto take = [&](std::string_view text, Span span) {
      if (text.size() <= longest || error.find(text) == error.npos) return;
      longest = text.size();
      place = span;
    };
    if (at.is_scalar()) take(at.text(), at.span());
    if (at.key()) take(at.key().text(), at.key_span());
  });
  return place;
}

void check_errors(const NodePool& pool, Reporter& reporter) {
  const Node context = name_node(pool);
  if (!pool.error.empty()) {
    reporter
        .report_span(place_of(pool, pool.error), context, "{} refuses {}: {}", tool_of(pool),
                     describe(pool), pool.error)
        .help("none of its nodes comes to be until this is mended")
        // Newer releases may know the field.
        .at_most(pool.error.find("unknown field") == std::string::npos ? Severity::error
                                                                       : Severity::warning);
  } else if (!pool.kubelet_error.empty()) {
    reporter
        .report_span(place_of(pool, pool.kubelet_error), context, "the kubelet refuses {}: {}",
                     describe(pool), pool.kubelet_error)
        .help("its machines start and never join the cluster");
  }
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
    // A group without a role is one of which only a part is shown.
    const bool is_group =
        !tool_of(pool).empty() && pool.error.find("role \"\"") == std::string::npos;
    if (pool.karpenter == nullptr && !is_group) continue;
    if (!concerns_gpus(pool) || (pool.node && is_told(pool.node, found))) continue;
    if (is_group) {
      check_errors(pool, reporter);
    } else {
      report_karpenter_flaws(corpus, pool, reporter);
      report_missing_machines(corpus, pool, reporter);
    }
    if (pool.karpenter == nullptr) report_machine_flaws(pool, reporter);
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
