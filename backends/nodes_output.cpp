#include <algorithm>
#include <cstddef>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "backends/placement_output.h"
#include "backends/unicode.h"
#include "compiler/schedule/tolerate.h"

namespace gpulint {
namespace {

using Json = nlohmann::ordered_json;

[[nodiscard]] std::string_view source_name(NodePool::Source source) {
  switch (source) {
    case NodePool::Source::node:
      return "node";
    case NodePool::Source::karpenter_node_pool:
      return "karpenter-node-pool";
    case NodePool::Source::karpenter_provisioner:
      return "karpenter-provisioner";
    case NodePool::Source::eksctl:
      return "eksctl";
    case NodePool::Source::kops:
      return "kops";
    case NodePool::Source::cluster_api:
      return "cluster-api";
    case NodePool::Source::config_connector:
      return "config-connector";
    case NodePool::Source::terraform:
      return "terraform";
    case NodePool::Source::gpulint_config:
      return "gpulint-config";
    case NodePool::Source::kubelet:
      return "kubelet";
  }
  return {};
}

[[nodiscard]] std::string_view known_name(PoolLabel::Known known) {
  switch (known) {
    case PoolLabel::Known::exact:
      return "exact";
    case PoolLabel::Known::one_of:
      return "one-of";
    case PoolLabel::Known::none_of:
      return "none-of";
    case PoolLabel::Known::exists:
      return "exists";
    case PoolLabel::Known::absent:
      return "absent";
    case PoolLabel::Known::provider:
      return "provider";
  }
  return {};
}

[[nodiscard]] Json taints_json(const std::vector<Taint>& taints) {
  Json list = Json::array();
  for (const Taint& taint : taints) {
    Json item{{"key", taint.key.value_or("")}};
    if (!taint.value.value_or("").empty()) item["value"] = taint.value.value();
    item["effect"] = taint.effect.value_or("");
    list.push_back(std::move(item));
  }
  return list;
}

[[nodiscard]] Json resources_json(const std::vector<ResourceEntry>& resources) {
  Json map = Json::object();
  for (const ResourceEntry& entry : resources) {
    map[entry.name.value] =
        entry.amount.is_known() ? Json(entry.amount.value().to_string()) : Json();
  }
  return map;
}

/// Where the pool is declared, as `file:line`.
[[nodiscard]] std::string place_of(const NodePool& pool, const SourceSet& sources) {
  if (!pool.node) return {};
  const Span span = pool.node.span();
  const SourceFile& file = sources.file(span);
  return fmt::format("{}:{}", file.path(), file.position(span.begin).line);
}

[[nodiscard]] Json pool_json(const NodePool& pool, const SourceSet& sources) {
  Json labels = Json::object();
  Json possible = Json::object();
  for (const PoolLabel& label : pool.labels) {
    if (label.known == PoolLabel::Known::exact) {
      labels[label.key] = label.values.front();
    } else {
      possible[label.key] = {{"known", known_name(label.known)}, {"values", label.values}};
    }
  }
  Json json{{"name", pool.name},
            {"source", source_name(pool.source)},
            {"labels", std::move(labels)},
            {"taints", taints_json(pool.taints)},
            {"allocatable", resources_json(pool.allocatable)},
            {"error", pool.error},
            {"kubeletError", pool.kubelet_error},
            {"declaredAt", place_of(pool, sources)},
            {"unschedulable", pool.unschedulable},
            {"possibleLabels", std::move(possible)},
            {"providerTaints", taints_json(pool.provider_taints)},
            {"providerResources", resources_json(pool.provider_resources)},
            {"gpuProducts", pool.gpu_products}};
  Json types = Json::array();
  for (const Value<std::string>& type : pool.machine_types) types.push_back(type.value);
  json["machineTypes"] = std::move(types);
  return json;
}

[[nodiscard]] std::string label_text(const PoolLabel& label) {
  const std::string values = fmt::format("{}", fmt::join(label.values, ", "));
  switch (label.known) {
    case PoolLabel::Known::exact:
      return fmt::format("{}={}", label.key, values);
    case PoolLabel::Known::one_of:
      return fmt::format("{} in ({})", label.key, values);
    case PoolLabel::Known::none_of:
      return fmt::format("{} not in ({})", label.key, values);
    case PoolLabel::Known::exists:
      return label.key;
    case PoolLabel::Known::absent:
      return fmt::format("!{}", label.key);
    case PoolLabel::Known::provider:
      return fmt::format("{}={} (added by the provider)", label.key, values);
  }
  return {};
}

void write_line(std::string_view what, std::string_view text, std::ostream& out) {
  if (!text.empty()) out << fmt::format("  {:<12}{}\n", what, printable(text));
}

void write_resources(std::string_view what, const std::vector<ResourceEntry>& resources,
                     std::ostream& out) {
  for (const ResourceEntry& entry : resources) {
    const std::string amount = entry.amount.is_known() ? entry.amount.value().to_string() : "?";
    write_line(what, fmt::format("{}: {}", entry.name.value, amount), out);
    what = "";
  }
}

/// A label that only says the node's own name.
[[nodiscard]] bool is_own_name(const PoolLabel& label, const NodePool& pool) {
  return label.key == "kubernetes.io/hostname" && label.known == PoolLabel::Known::exact &&
         label.values.front() == pool.name;
}

/// Everything but the name; of nodes that are shown together not what differs by their names.
void write_properties(const NodePool& pool, bool is_alone, std::ostream& out) {
  std::string_view what = "labels";
  for (const PoolLabel& label : pool.labels) {
    if (!is_alone && is_own_name(label, pool)) continue;
    write_line(what, label_text(label), out);
    what = "";
  }
  what = "taints";
  for (const Taint& taint : pool.taints) {
    write_line(what, to_string(taint), out);
    what = "";
  }
  for (const Taint& taint : pool.provider_taints) {
    write_line(what, to_string(taint) + " (added by the provider)", out);
    what = "";
  }
  write_resources("allocatable", pool.allocatable, out);
  write_resources("expected", pool.provider_resources, out);
  write_line("GPUs", fmt::format("{}", fmt::join(pool.gpu_products, ", ")), out);
  write_line("error", pool.error, out);
  write_line("kubelet", pool.kubelet_error, out);
}

/// Pools of which everything but their name is equal.
using AlikePools = std::vector<const NodePool*>;
[[nodiscard]] std::vector<AlikePools> group_alike(const Cluster& cluster) {
  std::vector<AlikePools> groups;
  std::map<std::string, std::size_t> known;
  for (const NodePool& pool : cluster.pools) {
    std::ostringstream text;
    text << source_name(pool.source) << '\n';
    write_properties(pool, false, text);
    const auto [at, is_new] = known.try_emplace(std::move(text).str(), groups.size());
    if (is_new) groups.emplace_back();
    groups[at->second].push_back(&pool);
  }
  return groups;
}

void write_pools(const AlikePools& pools, const SourceSet& sources, std::ostream& out) {
  constexpr std::size_t most_names = 3;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(pools.size(), most_names); ++i) {
    names.push_back(pools[i]->name.empty() ? "(unnamed)" : pools[i]->name);
  }
  const std::string more = pools.size() > most_names
                               ? fmt::format(" and {} more", pools.size() - most_names)
                               : std::string();
  const NodePool& first = *pools.front();
  out << fmt::format("{}{} ({}{}, {})\n", printable(fmt::format("{}", fmt::join(names, ", "))),
                     more,
                     pools.size() > 1 ? fmt::format("{} alike, ", pools.size()) : std::string(),
                     source_name(first.source), printable(place_of(first, sources)));
  write_properties(first, pools.size() == 1, out);
}

}  // namespace

void emit_nodes_json(const std::vector<const Cluster*>& clusters, const SourceSet& sources,
                     std::ostream& out) {
  Json pools = Json::array();
  for (const Cluster* cluster : clusters) {
    for (const NodePool& pool : cluster->pools) pools.push_back(pool_json(pool, sources));
  }
  const Json document = {{"version", 1}, {"pools", std::move(pools)}};
  out << escape_hidden(document.dump(2, ' ', false, Json::error_handler_t::replace)) << '\n';
}

void emit_nodes_text(const std::vector<const Cluster*>& clusters, const SourceSet& sources,
                     std::ostream& out) {
  for (const Cluster* cluster : clusters) {
    for (const AlikePools& pools : group_alike(*cluster)) write_pools(pools, sources, out);
  }
}

}  // namespace gpulint
