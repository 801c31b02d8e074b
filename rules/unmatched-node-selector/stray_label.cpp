#include "rules/unmatched-node-selector/stray_label.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "compiler/ir/key_path.h"
#include "compiler/model/facts/accelerator_catalog.h"
#include "compiler/model/facts/product_label.h"
#include "compiler/model/facts/provider_catalog.h"
#include "compiler/schedule/gpu_products.h"
#include "compiler/schedule/pool_machines.h"
#include "rules/support/causes.h"
#include "rules/support/label_edits.h"

namespace gpulint::rules::unmatched_node_selector {
namespace {

using Half = UnmatchedRequirement::Half;

/// Whether the pod has the name that GPU Feature Discovery gives nodes, and pools one that it never
/// does: then theirs is wrong.
[[nodiscard]] bool is_right_product(const UnmatchedRequirement& unmatched) {
  const auto is_known = [](const std::string& value) {
    return std::ranges::any_of(find_device(whole_product(value)), [](const DeviceName* name) {
      return name->vocabulary == DeviceVocabulary::gfd;
    });
  };
  return vocabulary_of_label(unmatched.key) == DeviceVocabulary::gfd &&
         unmatched.wanted.size() == 1 && is_known(unmatched.wanted.front()) &&
         std::ranges::none_of(unmatched.carried, is_known);
}

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

void advise(const Corpus& corpus, const Cause& cause, Finding& finding) {
  const auto& unmatched = std::get<UnmatchedRequirement>(cause.what);
  const auto offer = [&](const MeantLabel& meant) {
    finding.fix(Safety::unsafe, fmt::format("require `{}`", meant.text()),
                correct_labels(*corpus.sources, cause, meant));
  };
  if (!unmatched.suggested_key.empty()) {
    const MeantLabel meant{unmatched.suggested_key, unmatched.suggested_value};
    finding.help("{} carries `{}`", describe(*cause.pool), meant.text());
    if (cause.is_fix_verified) offer(meant);
    return;
  }
  if (unmatched.carried.empty()) {
    if (unmatched.half == Half::key) {
      finding.help(
          "label the nodes so, or leave the requirement out; `gpulint nodes` lists labels");
    }
    return;
  }
  if (is_right_product(unmatched)) {
    finding.help("nodes with such GPUs carry `{}`; what is declared is {}, which no GPU is called",
                 unmatched.wanted.front(), list(unmatched.carried));
    return;
  }
  finding.help("known nodes carry {} under this key", list(unmatched.carried));
  // The only value there is: whether the pod then fits is proven before the fix is offered.
  const bool is_only = unmatched.half == Half::value && unmatched.op == "In" &&
                       unmatched.carried.size() == 1 && unmatched.wanted.size() == 1;
  const bool is_written = cause.workloads.front()->origin != Workload::Origin::compiled;
  if (is_only && is_written) offer({unmatched.key, unmatched.carried.front()});
}

bool is_of_other_gpu(const Cause& cause) {
  const auto& unmatched = std::get<UnmatchedRequirement>(cause.what);
  return unmatched.key == product_label && unmatched.wanted.size() == 1 &&
         unmatched.carried.empty() && is_of_other_gpu(*cause.pool, unmatched.wanted.front());
}

bool advise_other_gpu(const Corpus& corpus, const Cause& cause, Finding& finding) {
  if (!is_of_other_gpu(cause)) return false;
  finding.related(machines_node(*cause.pool), "the machines of " + describe(*cause.pool));
  const std::vector<std::string_view> theirs = product_labels_of(*cause.pool);
  if (theirs.empty()) {
    finding.help("its machines have another GPU, whatever labels its nodes get");
    return true;
  }
  finding.help("GPU Feature Discovery calls theirs {}",
               list(std::vector<std::string>(theirs.begin(), theirs.end())));
  const bool is_written = cause.workloads.front()->origin != Workload::Origin::compiled;
  if (theirs.size() > 1 || !is_written) return true;
  const MeantLabel meant{std::string(product_label), std::string(theirs.front())};
  finding.fix(Safety::unsafe, fmt::format("require `{}`", meant.text()),
              correct_labels(*corpus.sources, cause, meant));
  return true;
}

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
