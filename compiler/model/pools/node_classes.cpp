#include "compiler/model/pools/node_classes.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/ir/read.h"

namespace gpulint {
namespace {

constexpr std::size_t least_ids = 64;

/// Keys with a different value on every node that has them.
[[nodiscard]] std::vector<std::string> find_own_labels(const std::vector<NodePool>& nodes) {
  struct Use {
    std::size_t nodes = 0;
    std::set<std::string_view> values;
  };
  std::map<std::string_view, Use> uses;
  for (const NodePool& node : nodes) {
    for (const PoolLabel& label : node.labels) {
      Use& use = uses[label.key];
      ++use.nodes;
      for (const std::string& value : label.values) use.values.insert(value);
    }
  }
  std::vector<std::string> own;
  for (const auto& [key, use] : uses) {
    if (use.nodes >= least_ids && use.values.size() == use.nodes) own.emplace_back(key);
  }
  return own;
}

void append_taints(std::string& key, const std::vector<Taint>& taints) {
  append_part(key, "taints");
  for (const Taint& taint : taints) {
    for (const auto* field : {&taint.key, &taint.value, &taint.effect}) {
      append_part(key, field->is_known() ? field->value() : field->node().text());
      append_part(key, field->is_known() ? "known" : "open");
    }
  }
}

void append_resources(std::string& key, const std::vector<ResourceEntry>& resources) {
  append_part(key, "resources");
  for (const ResourceEntry& entry : resources) {
    append_part(key, entry.name.value);
    append_part(key, entry.amount.is_known() ? entry.amount.value().to_string() : "open");
  }
}

/// Everything about a node except its name. `own_labels` are sorted.
[[nodiscard]] std::string kind_key(const NodePool& node,
                                   const std::vector<std::string>& own_labels) {
  std::string key =
      fmt::format("{}{}{}{}{}", node.unschedulable, node.labels_complete, node.own_labels_complete,
                  node.taints_complete, node.resources_complete);
  for (const PoolLabel& label : node.labels) {
    append_part(key, label.key);
    append_part(key, std::to_string(static_cast<int>(label.known)));
    if (std::ranges::binary_search(own_labels, label.key)) continue;
    for (const std::string& value : label.values) append_part(key, value);
  }
  append_taints(key, node.taints);
  append_taints(key, node.provider_taints);
  append_resources(key, node.allocatable);
  append_resources(key, node.provider_resources);
  for (const auto& type : node.machine_types) append_part(key, type.value);
  for (const std::string& product : node.gpu_products) append_part(key, product);
  append_part(key, node.error);
  append_part(key, node.kubelet_error);
  const std::string machine = read_string(node.node.get("spec"), "providerID").value_or("");
  append_part(key, machine.substr(0, machine.find(':')));  // the cloud
  for (const auto& [name, value] : node.node.at("metadata", "annotations").fields()) {
    if (name.text().ends_with("-register"))
      append_part(key, value.text());  // cards (card_gate.cpp)
  }
  return key;
}

}  // namespace

NodeClasses find_node_classes(std::vector<NodePool> nodes) {
  NodeClasses kinds;
  kinds.own_labels = find_own_labels(nodes);
  std::unordered_map<std::string, std::size_t> known;
  for (NodePool& node : nodes) {
    const auto [at, is_new] =
        known.try_emplace(kind_key(node, kinds.own_labels), kinds.pools.size());
    if (is_new) {
      kinds.pools.push_back(std::move(node));
    } else {
      ++kinds.pools[at->second].equal_nodes;
    }
  }
  return kinds;
}

bool may_distinguish(const NodeClasses& kinds, std::string_view text) {
  const auto is_named = [&](std::string_view key) {
    return text.find(key) != std::string_view::npos;
  };
  constexpr std::array<std::string_view, 2> node_names = {"nodeName", "matchFields"};
  return std::ranges::any_of(node_names, is_named) ||
         std::ranges::any_of(kinds.own_labels, is_named);
}

}  // namespace gpulint
