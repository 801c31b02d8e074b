#include "compiler/engine/rule.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/edit/edits.h"
#include "compiler/model/facts/deprecation_catalog.h"
#include "compiler/model/facts/provider_catalog.h"
#include "rules/support/flyte_labels.h"
#include "rules/support/queries.h"

namespace gpulint::rules::legacy_node_label {
namespace {

/// A label by which a pod selects its node.
struct LabelUse {
  Node key;           ///< The scalar that names it.
  std::string value;  ///< Of a node selector; empty elsewhere.
};

[[nodiscard]] std::vector<LabelUse> find_labels(const PodSpec& pod) {
  std::vector<LabelUse> uses;
  for (const LabelEntry& label : pod.node_selector) {
    uses.push_back({label.key.node, label.value.value_or("")});
  }
  for (const auto* terms : {&pod.node_affinity.required, &pod.node_affinity.preferred}) {
    for (const SelectorTerm& term : *terms) {
      for (const SelectorRequirement& requirement : term.expressions) {
        if (requirement.key.is_known()) uses.push_back({requirement.key.node(), ""});
      }
    }
  }
  for (const std::string_view field : {"affinity", "topologySpreadConstraints"}) {
    walk(pod.node.get(field), [&](Node node) {
      if (node.is_scalar() && node.key().text() == "topologyKey") uses.push_back({node, ""});
    });
  }
  return uses;
}

/// The label that replaces this one; empty if there is no one-to-one replacement.
[[nodiscard]] std::string successor_of(const Deprecation& fact, std::string_view label) {
  std::string_view successor = fact.replacement.substr(0, fact.replacement.find('='));
  if (!fact.name.ends_with('*')) return std::string(successor);
  successor.remove_suffix(1);
  return std::string(successor) + std::string(label.substr(fact.name.size() - 1));
}

[[nodiscard]] const Deprecation* find_fact(const Corpus& corpus, const LabelUse& use) {
  // The alpha label has its own rule. Preemptible nodes still have theirs: Spot is another product.
  if (use.key.text() == alpha_device_label) return nullptr;
  if (use.key.text() == "cloud.google.com/gke-preemptible") return nullptr;
  const Provider declared = corpus.settings->provider;
  const Provider provider = declared == Provider::unknown ? corpus.cluster.provider : declared;
  return find_deprecated_label(use.key.text(), use.value, provider_name(provider));
}

void check_use(const Corpus& corpus, Reporter& reporter, const LabelUse& use,
               const std::set<std::string_view>& all) {
  const std::string_view label = use.key.text();
  if (const Deprecation* fact = find_fact(corpus, use)) {
    const std::string successor = successor_of(*fact, label);
    if (all.contains(successor)) return;  // both are named: for old and new nodes
    reporter.report(use.key, "the label `{}` is deprecated", label)
        .help("write `{}`. Otherwise the pod does not fit nodes that have only the new label",
              successor)
        .fix(Safety::safe, fmt::format("write `{}`", successor),
             replace_string(*corpus.sources, use.key, successor));
  } else if (label == "accelerator" && use.value.starts_with("nvidia-") &&
             corpus.cluster.pools.empty()) {
    reporter
        .report(use.key, "nodes have the label `accelerator: {}` only if you set the label",
                use.value)
        .severity(Severity::info)
        .help(
            "use the label `{}`, which shows the GPU model. Otherwise you must set the label "
            "`accelerator` on each node",
            device_label(corpus));
  }
}

void check(const Corpus& corpus, Reporter& reporter) {
  const bool widened = corpus.settings->looks_beyond_gpus;
  for (const auto* workloads : {&corpus.workloads, &corpus.fragments}) {
    for (const Workload& workload : *workloads) {
      if (!widened && !concerns_gpus(workload.pod)) continue;
      const std::vector<LabelUse> uses = find_labels(workload.pod);
      std::set<std::string_view> all;
      for (const LabelUse& use : uses) all.insert(use.key.text());
      for (const LabelUse& use : uses) check_use(corpus, reporter, use, all);
    }
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "deprecated",
                                          .severity = Severity::warning,
                                          .fix = FixAvailability::safe,
                                          .proof = FixProof::still_fits},
                                 .check = check};

}  // namespace gpulint::rules::legacy_node_label
