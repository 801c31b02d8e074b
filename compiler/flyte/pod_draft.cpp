#include "compiler/flyte/pod_draft.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "compiler/ir/key_path.h"

namespace gpulint::flyte {
namespace {

void add_origin(std::string pointer, Node node, std::string key, CompiledPod& pod) {
  pod.origins.push_back({std::move(pointer), node, std::move(key)});
}

void finish_affinity(PodDraft& draft, CompiledPod& pod) {
  constexpr std::string_view base = "/affinity/nodeAffinity/";
  NodeAffinity& affinity = pod.workload.pod.node_affinity;
  affinity.has_required = draft.has_required;
  for (std::size_t i = 0; i < draft.required.size(); ++i) {
    SelectorTerm term;
    term.node = draft.required[i].node;
    term.fields = std::move(draft.required[i].fields);
    for (std::size_t j = 0; j < draft.required[i].expressions.size(); ++j) {
      Sourced<SelectorRequirement>& expression = draft.required[i].expressions[j];
      add_origin(fmt::format("{}requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms/"
                             "{}/matchExpressions/{}",
                             base, i, j),
                 expression.node, expression.key, pod);
      term.expressions.push_back(std::move(expression.item));
    }
    affinity.required.push_back(std::move(term));
  }
  for (std::size_t i = 0; i < draft.preferred.size(); ++i) {
    add_origin(fmt::format("{}preferredDuringSchedulingIgnoredDuringExecution/{}", base, i),
               draft.preferred[i].node, draft.preferred[i].key, pod);
    affinity.preferred.push_back(std::move(draft.preferred[i].item));
  }
  pod.affinity = std::move(draft.pod_affinity);
}

void finish_resources(const ResourceList& list, std::string_view kind, CompiledPod& pod,
                      std::vector<ResourceEntry>& out) {
  for (const auto& [name, amount] : list.entries()) {
    const auto field = amount.opaque ? Field<Quantity>::opaque(amount.node)
                                     : Field<Quantity>::known(amount.quantity, amount.node);
    out.push_back({{name, amount.node}, field});
    add_origin(fmt::format("/containers/0/resources/{}/{}", kind, escape_pointer_segment(name)),
               amount.node, amount.key, pod);
  }
}

[[nodiscard]] bool is_same(const Field<std::string>& a, const Field<std::string>& b) {
  return !a.is_opaque() && !b.is_opaque() && a.value_or("") == b.value_or("");
}

[[nodiscard]] bool is_same(const SelectorRequirement& a, const SelectorRequirement& b) {
  return is_same(a.key, b.key) && is_same(a.op, b.op) &&
         std::ranges::equal(a.values, b.values,
                            [](const auto& one, const auto& other) { return is_same(one, other); });
}

/// Appends the terms of an affinity other than nodeAffinity.
void add_pod_affinity(const ConfigValue& affinity, ConfigValue& to) {
  for (const ConfigEntry& entry : affinity.entries) {
    if (entry.key == "nodeAffinity" || !entry.value.is_map()) continue;
    ConfigValue& slot = to.at_or_add(entry.key);
    for (const ConfigEntry& list : entry.value.entries) {
      ConfigValue& terms = slot.at_or_add(list.key);
      if (!terms.is_list()) terms = make_list();
      terms.items.insert(terms.items.end(), list.value.items.begin(), list.value.items.end());
    }
  }
}

}  // namespace

void set_affinity(const NodeAffinity& node_affinity, const ConfigValue& whole,
                  const std::string& key, PodDraft& draft) {
  draft.has_affinity = true;
  draft.has_required = draft.has_required || node_affinity.has_required;
  for (const SelectorTerm& term : node_affinity.required) {
    DraftTerm& target = draft.required.emplace_back();
    target.node = term.node;
    target.fields = term.fields;
    for (const SelectorRequirement& expression : term.expressions) {
      target.expressions.push_back({expression, expression.node, key});
    }
  }
  for (const SelectorTerm& term : node_affinity.preferred) {
    draft.preferred.push_back({term, term.node, key});
  }
  add_pod_affinity(whole, draft.pod_affinity);
}

void add_requirement(const Sourced<SelectorRequirement>& requirement, FlyteVersion version,
                     PodDraft& draft) {
  draft.has_affinity = true;
  draft.has_required = true;
  if (draft.required.empty()) draft.required.emplace_back();
  for (DraftTerm& term : draft.required) {
    const bool has_it = std::ranges::any_of(
        term.expressions, [&](const auto& known) { return is_same(known.item, requirement.item); });
    if (version == FlyteVersion::v1 || !has_it) term.expressions.push_back(requirement);
  }
}

bool has_toleration(const Toleration& toleration, const PodDraft& draft) {
  return std::ranges::any_of(draft.tolerations, [&](const Sourced<Toleration>& known) {
    return is_same(known.item.key, toleration.key) && is_same(known.item.op, toleration.op) &&
           is_same(known.item.value, toleration.value) &&
           is_same(known.item.effect, toleration.effect);
  });
}

void set_node_selector(const LabelEntry& label, const std::string& key, PodDraft& draft) {
  const auto known = std::ranges::find_if(draft.node_selector, [&](const auto& entry) {
    return entry.item.key.value == label.key.value;
  });
  const Node node = label.value.node() ? label.value.node() : label.key.node;
  if (known == draft.node_selector.end()) {
    draft.node_selector.push_back({label, node, key});
  } else {
    *known = {label, node, key};
  }
}

void merge_onto(PodDraft base, PodDraft& draft) {
  for (auto list : {&Resources::limits, &Resources::requests}) {
    for (const auto& [name, amount] : (draft.resources.*list).entries()) {
      (base.resources.*list).set(name, amount);
    }
  }
  draft.resources = std::move(base.resources);
  std::ranges::move(draft.tolerations, std::back_inserter(base.tolerations));
  draft.tolerations = std::move(base.tolerations);
  for (const auto& entry : draft.node_selector) set_node_selector(entry.item, entry.key, base);
  draft.node_selector = std::move(base.node_selector);
  std::ranges::move(draft.required, std::back_inserter(base.required));
  draft.required = std::move(base.required);
  std::ranges::move(draft.preferred, std::back_inserter(base.preferred));
  draft.preferred = std::move(base.preferred);
  draft.has_affinity = draft.has_affinity || base.has_affinity;
  draft.has_required = draft.has_required || base.has_required;
  add_pod_affinity(draft.pod_affinity, base.pod_affinity);
  draft.pod_affinity = std::move(base.pod_affinity);
  const auto says_nothing = [](const Field<std::string>& field) {
    return !field.is_opaque() && field.value_or("").empty();
  };
  for (auto name : {&PodDraft::scheduler_name, &PodDraft::runtime_class_name}) {
    if (says_nothing((draft.*name).item)) draft.*name = std::move(base.*name);
  }
  for (const auto& label : draft.labels) {
    std::erase_if(base.labels,
                  [&](const auto& other) { return other.item.key.value == label.item.key.value; });
  }
  std::ranges::move(draft.labels, std::back_inserter(base.labels));
  draft.labels = std::move(base.labels);
}

void finish(PodDraft draft, CompiledPod& pod) {
  PodSpec& spec = pod.workload.pod;
  for (std::size_t i = 0; i < draft.tolerations.size(); ++i) {
    Sourced<Toleration>& toleration = draft.tolerations[i];
    add_origin(fmt::format("/tolerations/{}", i), toleration.node, toleration.key, pod);
    spec.tolerations.push_back(std::move(toleration.item));
  }
  std::ranges::sort(draft.node_selector, {},
                    [](const auto& entry) { return entry.item.key.value; });
  for (auto& [label, node, key] : draft.node_selector) {
    add_origin("/nodeSelector/" + escape_pointer_segment(label.key.value), node, key, pod);
    spec.node_selector.push_back(std::move(label));
  }
  if (draft.has_affinity) finish_affinity(draft, pod);
  Container container;
  container.name = Field<std::string>::known(pod.task);
  finish_resources(draft.resources.limits, "limits", pod, container.resources.limits);
  finish_resources(draft.resources.requests, "requests", pod, container.resources.requests);
  container.resources.opaque = draft.is_resources_open;
  spec.containers.push_back(std::move(container));
  const Field<std::string>& runtime_class = draft.runtime_class_name.item;
  if (runtime_class.is_opaque() || !runtime_class.value_or("").empty()) {
    add_origin("/runtimeClassName", draft.runtime_class_name.node, draft.runtime_class_name.key,
               pod);
    spec.runtime_class_name = std::move(draft.runtime_class_name.item);
  }
  if (draft.scheduler_name.item.is_opaque() || !draft.scheduler_name.item.value_or("").empty()) {
    add_origin("/schedulerName", draft.scheduler_name.node, draft.scheduler_name.key, pod);
    spec.scheduler_name = std::move(draft.scheduler_name.item);
  }
  for (auto& [label, node, key] : draft.labels) pod.workload.labels.push_back(std::move(label));
}

}  // namespace gpulint::flyte
