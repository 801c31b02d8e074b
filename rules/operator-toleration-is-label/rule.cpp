#include "compiler/engine/rule.h"

#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "compiler/model/kinds/operator_keys.h"
#include "compiler/model/pools/pool_fields.h"
#include "rules/support/placement_causes.h"

namespace gpulint::rules::operator_toleration_is_label {
namespace {

/// The label that excludes a node from the GPU Operator.
constexpr std::string_view refusal = "nvidia.com/gpu.deploy.operands";

[[nodiscard]] bool is_taint_somewhere(const Corpus& corpus, const std::string& key) {
  return std::ranges::any_of(corpus.cluster.pools, [&](const NodePool& pool) {
    return !pool.taints_complete || std::ranges::any_of(pool.taints, [&](const Taint& taint) {
      return !taint.key.is_known() || taint.key.value() == key;
    });
  });
}

/// The first node that has the label with this value, else with any; nodes that the operator
/// excludes do not count. Null if there is none.
[[nodiscard]] const NodePool* find_labelled(const Corpus& corpus, std::string_view key,
                                            std::string_view value) {
  const NodePool* first = nullptr;
  for (const NodePool& pool : corpus.cluster.pools) {
    const PoolLabel* const label = find_label(pool, key);
    if (pool.source != NodePool::Source::node || label == nullptr || !label->node ||
        find_label(pool, refusal) != nullptr) {
      continue;
    }
    if (std::ranges::find(label->values, value) != label->values.end()) return &pool;
    if (first == nullptr) first = &pool;
  }
  return first;
}

void check_item(const Corpus& corpus, Reporter& reporter, const OperatorKeys& keys, Node item) {
  const Node key = item.get("key");
  if (!key.is_scalar() || key.is_opaque() || is_taint_somewhere(corpus, std::string(key.text()))) {
    return;
  }
  const NodePool* const node = find_labelled(corpus, key.text(), item.get("value").text());
  if (node == nullptr) return;
  reporter
      .report(key, "the {} tolerates the key `{}`, but no node has a taint with this key",
              keys.name, key.text())
      .related(find_label(*node, key.text())->node,
               fmt::format("{} has a label with this key, not a taint", describe(*node)))
      .help(
          "to exclude {} from the GPU Operator, set the label `{}: \"false\"`. A toleration does "
          "not exclude nodes",
          describe(*node), refusal);
}

void check_values(const Corpus& corpus, Reporter& reporter, const OperatorKeys& keys, Node values) {
  walk(values, [&](Node at) {
    if (!at.is_sequence() || at.key().text() != "tolerations") return;
    for (const Node item : at.items()) check_item(corpus, reporter, keys, item);
  });
}

void check(const Corpus& corpus, Reporter& reporter) {
  if (corpus.cluster.pools.empty()) return;
  for (const ChartUse& use : corpus.chart_uses) {
    if (use.keys->name != "GPU Operator") continue;
    check_values(corpus, reporter, *use.keys, use.values);
  }
  for (const KubernetesObject& object : corpus.objects) {
    const OperatorKeys* const keys = find_operator_keys(object);
    if (keys == nullptr || keys->name != "ClusterPolicy") continue;
    check_values(corpus, reporter, *keys, object.node.get("spec"));
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "operators",
                                          .severity = Severity::warning,
                                          .aliases = "toleration-of-label"},
                                 .check = check};

}  // namespace gpulint::rules::operator_toleration_is_label
