#include "compiler/model/pools/karpenter_pools.h"

#include <algorithm>
#include <string>
#include <utility>

#include "compiler/ir/read.h"
#include "compiler/model/objects.h"
#include "compiler/model/pools/pool_fields.h"
#include "compiler/model/pools/read_node.h"
#include "compiler/model/read_pod.h"

namespace gpulint {
namespace {

[[nodiscard]] std::vector<std::string> known_values(const SelectorRequirement& requirement) {
  std::vector<std::string> values;
  for (const Field<std::string>& value : requirement.values) {
    if (value.is_known()) values.push_back(value.value());
  }
  return values;
}

/// What one requirement says of its label.
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

/// Of two requirements of one label the one that says more; both hold.
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

}  // namespace

NodePool read_karpenter_node_pool(Node object) {
  NodePool pool;
  const bool is_provisioner = read_string(object, "kind").equals("Provisioner");
  pool.source = is_provisioner ? NodePool::Source::karpenter_provisioner
                               : NodePool::Source::karpenter_node_pool;
  pool.name = object_name(object);
  pool.node = object;
  const Node spec = is_provisioner ? object.get("spec") : object.at("spec", "template", "spec");
  const Node labels =
      is_provisioner ? spec.get("labels") : object.at("spec", "template", "metadata", "labels");
  for (const SelectorRequirement& requirement :
       read_selector_requirements(spec.get("requirements"))) {
    if (!requirement.key.is_known()) continue;
    PoolLabel label = label_of(requirement);
    const auto found = std::ranges::find(pool.labels, label.key, &PoolLabel::key);
    if (found == pool.labels.end() || says_more(label, *found)) set_label(pool, std::move(label));
    const bool is_type = requirement.key.value().ends_with("/instance-type");
    if (!is_type || !requirement.op.equals("In")) continue;
    for (const Field<std::string>& value : requirement.values) add_machine_type(pool, value.node());
  }
  for (PoolLabel& label : read_pool_labels(labels)) set_label(pool, std::move(label));
  set_label(pool, is_provisioner ? "karpenter.sh/provisioner-name" : "karpenter.sh/nodepool",
            PoolLabel::Known::exact, {pool.name}, object.at("metadata", "name"));
  const Node taints = spec.get("taints");
  pool.taints = read_taints(taints);
  pool.taints_complete = !(taints.is_scalar() && taints.is_opaque());
  return pool;
}

}  // namespace gpulint
