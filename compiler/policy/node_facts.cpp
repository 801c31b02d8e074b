#include "compiler/policy/node_facts.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "compiler/ir/read.h"
#include "compiler/model/facts/deprecation_catalog.h"
#include "compiler/model/objects.h"
#include "compiler/model/pools/kubelet.h"
#include "compiler/model/pools/pool_facts.h"
#include "compiler/model/pools/pool_fields.h"
#include "compiler/policy/cel_text.h"
#include "compiler/schedule/mark_unknowns.h"
#include "compiler/schedule/placement_analysis.h"
#include "compiler/schedule/pool_accelerators.h"
#include "compiler/schedule/tolerate.h"
#include "compiler/schedule/virtual_resources.h"

namespace gpulint::policy {
namespace {

using Known = PoolLabel::Known;

/// Labels with a different value on each node.
[[nodiscard]] bool is_own(std::string_view key) {
  return key == "kubernetes.io/hostname" || key == "nvidia.com/gfd.timestamp" ||
         key.starts_with("feature.node.kubernetes.io/");
}

/// Keys with a different value on each of many nodes.
[[nodiscard]] std::set<std::string, std::less<>> find_ids(const std::vector<NodePool>& pools) {
  constexpr std::size_t many = 16;
  std::map<std::string, std::pair<std::size_t, std::set<std::string>>, std::less<>> values;
  for (const NodePool& pool : pools) {
    if (pool.source != NodePool::Source::node) continue;
    for (const PoolLabel& label : pool.labels) {
      if (label.known != Known::exact) continue;
      auto& [count, distinct] = values[label.key];
      ++count;
      distinct.insert(label.values.front());
    }
  }
  std::set<std::string, std::less<>> ids;
  for (const auto& [key, seen] : values) {
    if (seen.first >= many && seen.second.size() == seen.first) ids.insert(key);
  }
  return ids;
}

void add_labels(const NodePool& pool, const std::set<std::string, std::less<>>& ids,
                PoolFact& fact) {
  for (const PoolLabel& label : pool.labels) {
    if (is_own(label.key) || ids.contains(label.key) || label.known == Known::absent) continue;
    if (label.known == Known::exact) {
      fact.labels[label.key] = label.values.front();
    } else {
      fact.other_labels.insert(label.key);
    }
  }
  for (const std::string& key : fact.other_labels) fact.labels.erase(key);
  fact.more_labels = !pool.labels_complete;
}

void add_resources(const NodePool& pool, PoolFact& fact) {
  for (const ResourceEntry& entry : pool.allocatable) {
    if (!entry.amount.is_known()) {
      fact.more_resources = true;  // it may be this one
      continue;
    }
    constexpr double milli = 1000;
    fact.resources[entry.name.value] =
        static_cast<double>(entry.amount.value().milli_value()) / milli;
  }
  fact.more_resources = fact.more_resources || !pool.resources_complete;
}

void add_taints(const NodePool& pool, PoolFact& fact) {
  for (const Taint& taint : pool.taints) {
    if (is_transient_taint(taint)) continue;
    const bool is_known =
        taint.key.is_known() && (taint.value.is_known() || taint.value.is_absent());
    if (!is_known || is_hard(taint) != Ternary::yes) continue;
    fact.taints.push_back(
        {taint.key.value_or(""), taint.value.value_or(""), taint.effect.value_or("")});
  }
  std::ranges::sort(fact.taints);
}

/// Karpenter chooses the machines of its nodes, so their resources reject no pod.
[[nodiscard]] PoolFact read_pool(const NodePool& pool,
                                 const std::set<std::string, std::less<>>& ids) {
  PoolFact fact;
  const bool is_refused = !pool.error.empty() || !pool.kubelet_error.empty();
  const bool has_none = has_accelerators(pool) == Ternary::no;
  if (is_refused || (pool.karpenter != nullptr && !has_none)) {
    fact.open = true;
    return fact;
  }
  if (pool.karpenter != nullptr) {
    fact.more_labels = true;
    return fact;
  }
  add_labels(pool, ids, fact);
  add_resources(pool, fact);
  add_taints(pool, fact);
  return fact;
}

[[nodiscard]] std::string admission_text(const Corpus& corpus) {
  switch (extended_resource_toleration(corpus)) {
    case ExtendedResourceToleration::on:
      return "on";
    case ExtendedResourceToleration::unknown:
      return "unknown";
    case ExtendedResourceToleration::off:
      break;
  }
  return corpus.settings->admission_plugins ? "declared-off" : "off";
}

/// The MIG strategy in the labels of nodes; empty if they differ, or offer partitions by name.
[[nodiscard]] std::string strategy_of_nodes(const Cluster& cluster) {
  std::set<std::string> told;
  for (const NodePool& pool : cluster.pools) {
    for (const ResourceEntry& entry : pool.allocatable) {
      if (entry.name.value.starts_with("nvidia.com/mig-")) return {};
    }
    for (const PoolLabel& label : pool.labels) {
      if (label.key != "nvidia.com/mig.strategy") continue;
      if (label.known != Known::exact || label.values.size() != 1) return {};
      told.insert(label.values.front());
    }
  }
  return told.size() == 1 ? *told.begin() : std::string{};
}

[[nodiscard]] std::string mig_strategy(const Corpus& corpus) {
  if (!corpus.settings->mig_strategy.empty()) return corpus.settings->mig_strategy;
  if (std::string told = strategy_of_nodes(corpus.cluster); !told.empty()) return told;
  return corpus.cluster.provider == Provider::gke ? "gke" : "";
}

[[nodiscard]] std::string runtime_class(const Corpus& corpus) {
  if (!corpus.settings->runtime_class.empty()) return corpus.settings->runtime_class;
  for (const KubernetesObject& object : corpus.objects) {
    if (!object.kind.equals("RuntimeClass")) continue;
    const std::string name = object_name(object.node);
    if (read_string(object.node, "handler").equals("nvidia") && !name.empty()) return name;
  }
  return {};
}

/// `literal`: writes a value.
template <class Map, class Literal>
[[nodiscard]] std::string map_literal(const Map& map, Literal&& literal) {
  std::vector<std::string> entries;
  for (const auto& [key, value] : map) {
    entries.push_back(fmt::format("{}: {}", cel_string(key), literal(value)));
  }
  return "{" + wrap_items(entries, 6) + "}";
}

template <class Texts>
[[nodiscard]] std::string list_literal(const Texts& texts) {
  return cel_list(std::vector<std::string>(texts.begin(), texts.end()));
}

[[nodiscard]] std::string taints_literal(const PoolFact& pool) {
  std::string text;
  for (const TaintFact& taint : pool.taints) {
    text += fmt::format("{}{{'key': {}, 'value': {}, 'effect': {}}}", text.empty() ? "" : ", ",
                        cel_string(taint.key), cel_string(taint.value), cel_string(taint.effect));
  }
  return "[" + text + "]";
}

[[nodiscard]] std::string pool_literal(const PoolFact& pool) {
  std::string text;
  const auto add = [&](std::string_view key, const std::string& value) {
    text += fmt::format("{}'{}': dyn({})", text.empty() ? "{" : ",\n    ", key, value);
  };
  const auto truth = [](bool value) { return std::string(value ? "true" : "false"); };
  add("labels", map_literal(pool.labels, cel_string));
  add("otherLabels", list_literal(pool.other_labels));
  add("moreLabels", truth(pool.more_labels));
  add("resources", map_literal(pool.resources, cel_double));
  add("moreResources", truth(pool.more_resources));
  add("taints", taints_literal(pool));
  add("open", truth(pool.open));
  return text + "}";
}

}  // namespace

Facts find_facts(const Corpus& corpus) {
  Facts facts;
  const auto virtuals = virtual_resources(corpus);
  Cluster marked = mark_unknowns(corpus.cluster, {}, virtuals);
  if (corpus.placement != nullptr && corpus.placement->nodes) {
    // What Nodes offer is unknown before device plugins have run.
    const std::vector<NodePool>& judged = corpus.placement->nodes->placement().cluster().pools;
    for (std::size_t i = 0; i < judged.size(); ++i) {
      const bool is_known = judged[i].resources_complete;
      marked.pools[i].resources_complete = marked.pools[i].resources_complete && is_known;
    }
  }
  const std::set<std::string, std::less<>> ids = find_ids(marked.pools);
  facts.open_labels = ids;
  facts.open_labels.insert({"kubernetes.io/hostname", "nvidia.com/gfd.timestamp"});
  for (const std::string_view key : kubelet_labels()) {
    const bool is_carried = std::ranges::any_of(
        marked.pools, [&](const NodePool& pool) { return find_label(pool, key) != nullptr; });
    if (!is_carried) facts.open_labels.emplace(key);
  }
  for (const NodePool& pool : marked.pools) {
    facts.pools.push_back(read_pool(pool, ids));
    facts.knows_gpu_nodes = facts.knows_gpu_nodes || has_accelerators(pool) == Ternary::yes;
  }
  std::ranges::sort(facts.pools);
  const auto repeated = std::ranges::unique(facts.pools);
  facts.pools.erase(repeated.begin(), repeated.end());
  facts.knows_gpu_nodes = facts.knows_gpu_nodes && !virtuals.contains(any_resource);
  facts.open_resources = virtuals;
  facts.open_resources.erase(shared_devices);
  facts.extended_resource_toleration = admission_text(corpus);
  facts.mig_strategy = mig_strategy(corpus);
  facts.runtime_class = runtime_class(corpus);
  const auto declared = kubernetes_minor(corpus.settings->kubernetes_version);
  facts.kubernetes_minor = declared.value_or(newest_kubelet_minor(corpus.cluster).value_or(0));
  return facts;
}

std::string cel_of(const Facts& facts) {
  std::string pools;
  for (const PoolFact& pool : facts.pools) {
    pools += fmt::format("{}  {}", pools.empty() ? "" : ",\n", pool_literal(pool));
  }
  return fmt::format(
      "{{\n'openLabels': dyn({}),\n'openResources': dyn({}),\n'extendedResourceToleration': "
      "dyn({}),\n'migStrategy': dyn({}),\n'migLayouts': dyn({}),\n'runtimeClass': "
      "dyn({}),\n'pools': dyn([\n{}\n])\n}}",
      list_literal(facts.open_labels), list_literal(facts.open_resources),
      cel_string(facts.extended_resource_toleration), cel_string(facts.mig_strategy),
      list_literal(facts.mig_layouts), cel_string(facts.runtime_class), pools);
}

}  // namespace gpulint::policy
