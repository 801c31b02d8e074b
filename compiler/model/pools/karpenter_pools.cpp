#include "compiler/model/pools/karpenter_pools.h"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "compiler/ir/read.h"
#include "compiler/model/pools/karpenter_pool.h"
#include "compiler/model/pools/pool_fields.h"
#include "compiler/model/pools/read_node.h"

namespace gpulint {
namespace {

[[nodiscard]] std::vector<std::string> known_values(const SelectorRequirement& requirement) {
  std::vector<std::string> values;
  for (const Field<std::string>& value : requirement.values) {
    if (value.is_known()) values.push_back(value.value());
  }
  return values;
}

/// The label facts of one requirement.
[[nodiscard]] PoolLabel label_of(const SelectorRequirement& requirement) {
  PoolLabel label{requirement.key.value(), PoolLabel::Known::exists, {}, requirement.node};
  const std::string op = requirement.op.value_or("");
  const bool has_open_values = std::ranges::any_of(
      requirement.values, [](const Field<std::string>& value) { return !value.is_known(); });
  if (requirement.op.is_opaque() || has_open_values) return label;
  if (op == "In") {
    label.values = known_values(requirement);
    label.known = label.values.size() == 1 ? PoolLabel::Known::exact : PoolLabel::Known::one_of;
  } else if (op == "NotIn") {
    label.values = known_values(requirement);
    label.known = PoolLabel::Known::none_of;
  } else if (op == "DoesNotExist") {
    label.known = PoolLabel::Known::absent;
  }
  return label;
}

/// Whether the first of two requirements of one label is more specific; both apply.
[[nodiscard]] bool says_more(const PoolLabel& label, const PoolLabel& than) {
  const auto rank = [](const PoolLabel& of) {
    switch (of.known) {
      case PoolLabel::Known::exact:
        return 3;
      case PoolLabel::Known::one_of:
      case PoolLabel::Known::absent:
        return 2;
      case PoolLabel::Known::none_of:
        return 1;
      case PoolLabel::Known::exists:
      case PoolLabel::Known::provider:
        return 0;
    }
    return 0;
  };
  return rank(label) > rank(than);
}

[[nodiscard]] bool has_mistyped(std::span<const Field<std::string>> values) {
  return std::ranges::any_of(values, [](const auto& value) { return value.is_mistyped(); });
}

/// Why the API server rejects the object (karpenter.sh_nodepools.yaml); empty if it may accept it.
[[nodiscard]] std::string api_error(const KarpenterPool& pool) {
  for (const SelectorRequirement& requirement : pool.stated) {
    if (has_mistyped(requirement.values)) return "values of requirements must be strings";
  }
  for (const Taint& taint : pool.taints) {
    if (taint.value.is_mistyped()) return "values of taints must be strings";
  }
  if (pool.is_provisioner()) return {};
  for (const Node::Entry& limit : pool.object.at("spec", "limits").fields()) {
    if (limit.value.is_mapping() && !limit.value.is_opaque()) return "limits must be amounts";
  }
  const Node reference = pool.object.at("spec", "template", "spec", "nodeClassRef");
  const bool is_stable = read_string(pool.object, "apiVersion").equals("karpenter.sh/v1");
  if (!is_stable || !has_known_keys(reference) || reference.get("<<")) return {};
  if (!reference.get("name")) return {};  // an excerpt
  for (const std::string_view key : {"group", "kind"}) {
    if (!reference.get(key)) return fmt::format("nodeClassRef must have a {}", key);
  }
  return {};
}

}  // namespace

NodePool read_karpenter_node_pool(Node object) {
  auto karpenter = std::make_shared<const KarpenterPool>(read_karpenter_pool(object));
  const bool is_provisioner = karpenter->is_provisioner();
  NodePool pool;
  pool.source = is_provisioner ? NodePool::Source::karpenter_provisioner
                               : NodePool::Source::karpenter_node_pool;
  pool.name = karpenter->name;
  pool.node = object;
  for (const SelectorRequirement& requirement : karpenter->stated) {
    if (!requirement.key.is_known()) continue;
    PoolLabel label = label_of(requirement);
    const PoolLabel* const found = find_label(pool, label.key);
    if (found == nullptr || says_more(label, *found)) set_label(pool, std::move(label));
    const bool is_type = requirement.key.value().ends_with("/instance-type") ||
                         requirement.key.equals("karpenter.azure.com/sku-name");
    if (!is_type || !requirement.op.equals("In")) continue;
    for (const Field<std::string>& value : requirement.values) add_machine_type(pool, value.node());
  }
  for (PoolLabel& label : read_pool_labels(karpenter->labels)) set_label(pool, std::move(label));
  set_label(pool, is_provisioner ? "karpenter.sh/provisioner-name" : "karpenter.sh/nodepool",
            PoolLabel::Known::exact, {pool.name}, object.at("metadata", "name"));
  const Node taints = karpenter->taints_node;
  pool.taints = karpenter->taints;
  pool.taints_complete = !(taints.is_scalar() && taints.is_opaque());
  pool.error = api_error(*karpenter);
  pool.karpenter = std::move(karpenter);
  return pool;
}

}  // namespace gpulint
