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

#include "backends/ink.h"
#include "backends/placement_output.h"
#include "backends/unicode.h"
#include "compiler/base/counted.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/pools/karpenter_machines.h"
#include "compiler/schedule/pool_accelerators.h"
#include "compiler/schedule/pool_offers.h"
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
    case NodePool::Source::machine_api:
      return "machine-api";
    case NodePool::Source::config_connector:
      return "config-connector";
    case NodePool::Source::compute_class:
      return "compute-class";
    case NodePool::Source::service_operator:
      return "service-operator";
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

/// The machines of a pool, their size and number, and what of that is unknown.
void add_offers(const PoolOffers& offers, Json& json) {
  Json machines = Json::array();
  for (const Machine* machine : offers.machines) machines.push_back(machine->type);
  json["machines"] = std::move(machines);
  json["offersAtMost"] = Json::object();
  for (const auto& [resource, most] : offers.most) json["offersAtMost"][resource] = most;
  json["maxNodes"] = offers.size ? Json(offers.size->most) : Json();
  json["limits"] = resources_json(offers.limits);
  json["open"] = offers.open;
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
  add_offers(offers_of(pool), json);
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

/// Writes one property on each line, wrapped to the terminal.
class Properties {
 public:
  Properties(const Presentation& presentation, std::ostream& out)
      : presentation_(presentation), out_(out) {}

  /// Prints the name of equal properties only once.
  void write(std::string_view what, std::string_view text) {
    if (text.empty()) return;
    write_painted(what, wrapped(printable(text), indent, indent, presentation_.width));
  }
  void write(std::string_view what, std::string_view text, Ink ink) {
    if (text.empty()) return;
    write_painted(what, paint(ink, wrapped(printable(text), indent, indent, presentation_.width),
                              presentation_));
  }
  void write(std::string_view what, const std::vector<ResourceEntry>& resources) {
    for (const ResourceEntry& entry : resources) {
      const std::string amount = entry.amount.is_known() ? entry.amount.value().to_string() : "?";
      const std::string text = fmt::format("{}: {}", entry.name.value, amount);
      if (is_gpu_resource(entry.name.value) && amount != "0") {
        write(what, text, Ink::added);
      } else {
        write(what, text);
      }
    }
  }

 private:
  static constexpr std::size_t indent = 14;

  void write_painted(std::string_view what, const std::string& text) {
    out_ << fmt::format("  {:<12}{}\n", what == last_ ? "" : what, text);
    last_ = what;
  }

  const Presentation& presentation_;
  std::ostream& out_;
  std::string_view last_;  // literals
};

/// A label that differs on every node.
[[nodiscard]] bool is_of_one_node(const PoolLabel& label, const NodePool& pool) {
  if (label.key == "nvidia.com/gfd.timestamp" || label.key == "alpha.eksctl.io/instance-id") {
    return true;
  }
  return label.key == "kubernetes.io/hostname" && label.known == PoolLabel::Known::exact &&
         label.values.front() == pool.name;
}

/// `1536Mi`: memory in mebibytes, if it is a whole number of them.
[[nodiscard]] std::string amount_text(const std::string& resource, std::int64_t amount) {
  constexpr std::int64_t mebibyte = std::int64_t{1} << 20;
  return resource == "memory" && amount % mebibyte == 0 ? fmt::format("{}Mi", amount / mebibyte)
                                                        : std::to_string(amount);
}

void write_offers(const NodePool& pool, Properties& properties) {
  const PoolOffers offers = offers_of(pool);
  std::string machines =
      offers.machines.empty() ? std::string() : describe(offers.machines, pool.machine_types);
  std::erase(machines, '`');
  properties.write("machines", machines);
  for (const auto& [resource, most] : offers.most) {
    const std::string text = fmt::format("{}: {}", resource, amount_text(resource, most));
    if (is_gpu_resource(resource) && most > 0) {
      properties.write("each has", text, Ink::added);
    } else {
      properties.write("each has", text);
    }
  }
  if (offers.size) properties.write("at most", fmt::format("{} nodes", offers.size->most));
  for (const ResourceEntry& limit : offers.limits) {
    if (!limit.amount.is_known()) continue;
    properties.write("at most",
                     fmt::format("{}: {}", limit.name.value, limit.amount.value().to_string()));
  }
  properties.write("open", offers.open);
}

/// Everything but the name; for nodes that are printed together, not what differs with their names.
void write_properties(const NodePool& pool, bool is_alone, const Presentation& presentation,
                      std::ostream& out) {
  Properties properties(presentation, out);
  for (const PoolLabel& label : pool.labels) {
    if (is_alone || !is_of_one_node(label, pool)) properties.write("labels", label_text(label));
  }
  for (const Taint& taint : pool.taints) {
    properties.write("taints", to_string(taint), Ink::warning);
  }
  for (const Taint& taint : pool.provider_taints) {
    properties.write("taints", to_string(taint) + " (added by the provider)", Ink::warning);
  }
  properties.write("allocatable", pool.allocatable);
  properties.write("expected", pool.provider_resources);
  properties.write("GPUs", fmt::format("{}", fmt::join(pool.gpu_products, ", ")), Ink::added);
  write_offers(pool, properties);
  properties.write("error", pool.error, Ink::error);
  properties.write("kubelet", pool.kubelet_error, Ink::error);
}

/// The verdict: how many nodes have GPUs, what they offer together, and how many offer none.
class Tally {
 public:
  void add(const NodePool& pool) {
    const bool has_gpus = has_accelerators(pool) == Ternary::yes;
    Count& count = pool.source == NodePool::Source::node ? nodes_ : pools_;
    ++count.all;
    count.with_gpus += has_gpus ? 1 : 0;
    if (pool.source != NodePool::Source::node) return;
    bool offers = false;
    for (const ResourceEntry& entry : pool.allocatable) {
      if (!entry.amount.is_known() || !is_gpu_resource(entry.name.value)) continue;
      if (entry.amount.value().is_zero() || entry.amount.value().is_negative()) continue;
      offers = true;
      Quantity& sum = offered_[entry.name.value];
      sum = sum + entry.amount.value();
    }
    idle_ += has_gpus && !offers ? 1 : 0;
  }

  void write(const Presentation& presentation, std::ostream& out) const {
    std::vector<std::string> parts;
    for (const auto& [count, noun] : {std::pair(nodes_, "node"), std::pair(pools_, "node pool")}) {
      if (count.all == 0) continue;
      parts.push_back(fmt::format("{}, {} with GPUs", count_text(count.all, noun),
                                  count.with_gpus == 0 ? "none" : std::to_string(count.with_gpus)));
    }
    std::vector<std::string> offers;
    for (const auto& [name, sum] : offered_) {
      offers.push_back(fmt::format("{} {}", sum.value(), name));
    }
    std::string text = fmt::format("{}", fmt::join(parts, "; "));
    if (!offers.empty()) text += fmt::format(": {}", fmt::join(offers, ", "));
    if (idle_ > 0) {
      text += fmt::format("; {} of them {} no GPU resource: is a device plugin running there?",
                          idle_, idle_ == 1 ? "offers" : "offer");
    }
    const bool has_any = nodes_.with_gpus + pools_.with_gpus > 0;
    const Ink ink = idle_ > 0 ? Ink::warning : has_any ? Ink::added : Ink::error;
    out << paint(ink, wrapped(printable(text), 0, 2, presentation.width), presentation) << '\n';
  }

 private:
  struct Count {
    std::size_t all = 0;
    std::size_t with_gpus = 0;
  };
  Count nodes_;
  Count pools_;
  std::size_t idle_ = 0;
  std::map<std::string, Quantity> offered_;
};

/// Pools that are equal except for their name.
using AlikePools = std::vector<const NodePool*>;
[[nodiscard]] std::vector<AlikePools> group_alike(const Cluster& cluster) {
  std::vector<AlikePools> groups;
  std::map<std::string, std::size_t> known;
  for (const NodePool& pool : cluster.pools) {
    std::ostringstream text;
    text << source_name(pool.source) << '\n';
    write_properties(pool, false, {}, text);
    const auto [at, is_new] = known.try_emplace(std::move(text).str(), groups.size());
    if (is_new) groups.emplace_back();
    groups[at->second].push_back(&pool);
  }
  return groups;
}

void write_pools(const AlikePools& pools, const SourceSet& sources,
                 const Presentation& presentation, std::ostream& out) {
  constexpr std::size_t most_names = 3;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(pools.size(), most_names); ++i) {
    names.push_back(pools[i]->name.empty() ? "(unnamed)" : pools[i]->name);
  }
  const std::string more = pools.size() > most_names
                               ? fmt::format(" and {} more", pools.size() - most_names)
                               : std::string();
  const NodePool& first = *pools.front();
  const std::string title = printable(fmt::format("{}", fmt::join(names, ", "))) + more;
  const std::string alike =
      pools.size() > 1 ? fmt::format("{} alike, ", pools.size()) : std::string();
  out << paint(Ink::strong, title, presentation)
      << fmt::format(" ({}{}, {})\n", alike, source_name(first.source),
                     printable(place_of(first, sources)));
  write_properties(first, pools.size() == 1, presentation, out);
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
                     const Presentation& presentation, std::ostream& out) {
  for (const Cluster* cluster : clusters) {
    if (presentation.width > 0) {
      Tally tally;
      for (const NodePool& pool : cluster->pools) tally.add(pool);
      tally.write(presentation, out);
    }
    for (const AlikePools& pools : group_alike(*cluster)) {
      write_pools(pools, sources, presentation, out);
    }
  }
}

}  // namespace gpulint
