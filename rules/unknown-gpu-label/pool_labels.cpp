#include "rules/unknown-gpu-label/pool_labels.h"

#include <algorithm>
#include <set>
#include <string>

#include <fmt/format.h>

#include "compiler/edit/edits.h"
#include "compiler/model/product_label.h"
#include "rules/support/causes.h"
#include "rules/support/queries.h"
#include "rules/unknown-gpu-label/meant.h"

namespace gpulint::rules::unknown_gpu_label {
namespace {

void add_selected_keys(const PodSpec& pod, std::set<std::string>& keys) {
  for (const LabelEntry& label : pod.node_selector) keys.insert(label.key.value);
  for (const SelectorTerm& term : pod.node_affinity.required) {
    for (const SelectorRequirement& requirement : term.expressions) {
      keys.insert(requirement.key.value_or(""));
    }
  }
}

[[nodiscard]] std::set<std::string> selected_keys(const Corpus& corpus) {
  std::set<std::string> keys;
  for (const auto* workloads : {&corpus.workloads, &corpus.fragments}) {
    for (const Workload& workload : *workloads) add_selected_keys(workload.pod, keys);
  }
  return keys;
}

void report(const Corpus& corpus, const NodePool& pool, const PoolLabel& label,
            const std::string& meant, Reporter& reporter) {
  reporter
      .report(label.node, "no provider, operator or pod knows the label `{}` of {}", label.key,
              describe(pool))
      .help("the label is `{}`", meant)
      .fix(Safety::unsafe, fmt::format("write `{}`", meant),
           replace_string(*corpus.sources, label.node, meant));
}

/// A Node's label that GPU Feature Discovery has set; nothing where it is not known to run.
[[nodiscard]] Node find_discovered(const Corpus& corpus) {
  for (const NodePool& pool : corpus.cluster.pools) {
    if (pool.source != NodePool::Source::node) continue;
    for (const PoolLabel& label : pool.labels) {
      if (label.key == product_label && label.node) return value_node(label);
    }
  }
  return {};
}

/// Feature Discovery writes over what a pool says of its nodes' product.
void check_product(const Corpus& corpus, const NodePool& pool, const PoolLabel& label,
                   Node discovered, Reporter& reporter) {
  const std::string meant = meant_value(label.key, label.values.front());
  const Node value = value_node(label);
  if (meant.empty() || !value || value.text() != label.values.front()) return;
  reporter
      .report(value, "GPU Feature Discovery calls no GPU `{}`, as {} does", value.text(),
              describe(pool))
      .related(discovered, "a label that it has set here")
      .help("it writes `{}` over it once a node is up: pods that select `{}` wait for ever", meant,
            value.text())
      .fix(Safety::unsafe, fmt::format("write `{}`", meant),
           replace_string(*corpus.sources, value, meant));
}

}  // namespace

bool is_told(std::span<const Diagnostic> found, Node where) {
  const Span span = where.span();
  return std::ranges::any_of(found, [&](const Diagnostic& finding) {
    return finding.span.file == span.file && finding.span.begin < span.end + 1 &&
           span.begin < finding.span.end + 1 && !is_of_whole_document(finding.span, where);
  });
}

void check_pool_labels(const Corpus& corpus, std::span<const Diagnostic> found,
                       Reporter& reporter) {
  const std::set<std::string> selected = selected_keys(corpus);
  const Node discovered = find_discovered(corpus);
  for (const NodePool& pool : corpus.cluster.pools) {
    if (pool.source == NodePool::Source::node) continue;
    for (const PoolLabel& label : pool.labels) {
      if (label.known != PoolLabel::Known::exact) continue;
      if (label.key == product_label && discovered) {
        check_product(corpus, pool, label, discovered, reporter);
      }
      if (selected.contains(label.key)) continue;
      const std::string meant = meant_label(label.key);
      const Node key = label.node;
      if (meant.empty() || !key || key.text() != label.key || is_told(found, key)) continue;
      report(corpus, pool, label, meant, reporter);
    }
  }
}

}  // namespace gpulint::rules::unknown_gpu_label
