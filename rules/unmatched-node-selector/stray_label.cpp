#include "rules/unmatched-node-selector/stray_label.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include <fmt/format.h>

#include "compiler/ir/key_path.h"
#include "rules/support/causes.h"

namespace gpulint::rules::unmatched_node_selector {
namespace {

/// Empty for what has no other place for labels.
[[nodiscard]] std::string_view home_of_labels(NodePool::Source source) {
  using Source = NodePool::Source;
  switch (source) {
    case Source::karpenter_node_pool:
      return "spec.template.metadata.labels";
    case Source::karpenter_provisioner:
      return "spec.labels";
    case Source::eksctl:
      return "labels";
    case Source::kops:
      return "spec.nodeLabels";
    case Source::cluster_api:
      return "the kubelet argument `node-labels` of its bootstrap configuration";
    case Source::machine_api:
      return "spec.template.spec.metadata.labels";
    case Source::config_connector:
      return "spec.nodeConfig.labels";
    case Source::terraform:
      return "labels";
    case Source::service_operator:
      return "nodeLabels";
    case Source::compute_class:
    case Source::node:
    case Source::gpulint_config:
    case Source::kubelet:
      break;
  }
  return {};
}

/// Whether the entry says what is demanded. Selectors name labels of others.
[[nodiscard]] bool says_it(Node value, const UnmatchedRequirement& unmatched) {
  if (value.key().text() != unmatched.key || !value.is_scalar()) return false;
  const bool fits = unmatched.wanted.empty() ||
                    std::ranges::find(unmatched.wanted, value.text()) != unmatched.wanted.end();
  return fits && value.parent().key().text() != "matchLabels";
}

/// A label that stands in the declaration of a pool where no node gets it: among tags of machines,
/// or on the declaring object itself.
struct StrayLabel {
  const NodePool* pool = nullptr;
  Node key;
  std::string where;      ///< The mapping that holds it: `spec.cloudLabels`.
  std::string_view home;  ///< From where nodes of such a pool get labels: `spec.nodeLabels`.
};

/// What is demanded, as some pool has it in the wrong place; nothing where none has.
[[nodiscard]] std::optional<StrayLabel> find_stray_label(const Corpus& corpus,
                                                         const UnmatchedRequirement& unmatched) {
  if (unmatched.half == UnmatchedRequirement::Half::presence) return std::nullopt;
  for (const NodePool& pool : corpus.cluster.pools) {
    const std::string_view home = home_of_labels(pool.source);
    if (home.empty()) continue;
    const auto is_read = [&](Node key) {
      return std::ranges::find(pool.labels, key, &PoolLabel::node) != pool.labels.end();
    };
    std::optional<StrayLabel> found;
    walk(pool.node, [&](Node value) {
      if (found || !says_it(value, unmatched) || is_read(value.key())) return;
      found = {&pool, value.key(), key_path(value.parent()), home};
    });
    if (found) return found;
  }
  return std::nullopt;
}

}  // namespace

bool advise_stray_label(const Corpus& corpus, const Cause& cause, Finding& finding) {
  const auto stray = find_stray_label(corpus, std::get<UnmatchedRequirement>(cause.what));
  if (!stray) return false;
  const bool is_path = stray->home.find(' ') == std::string_view::npos;
  finding.related(stray->key, "no node gets the label from here")
      .help("{} has it in `{}`; its nodes get labels from {}", describe(*stray->pool), stray->where,
            is_path ? fmt::format("`{}`", stray->home) : std::string(stray->home));
  return true;
}

}  // namespace gpulint::rules::unmatched_node_selector
