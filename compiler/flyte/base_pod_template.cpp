#include "compiler/flyte/base_pod_template.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "compiler/flyte/read_config.h"
#include "compiler/ir/key_path.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/kinds/pod_templates.h"
#include "compiler/model/objects.h"
#include "compiler/model/read_pod.h"

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

/// Appends the terms of what an affinity has besides nodeAffinity.
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

/// Containers of a template that stand for every one of the task's, and for the primary one.
constexpr std::string_view default_container = "default";
constexpr std::string_view primary_container = "primary";

[[nodiscard]] std::string_view scalar_at(Node object, std::string_view key) {
  const Node value = object.at("metadata", key);
  const bool is_known = value.is_scalar() && !value.is_null() && !value.is_opaque();
  return is_known ? value.text() : std::string_view();
}

[[nodiscard]] const Container* find_container(const BasePodTemplate& base, std::string_view name) {
  const auto found = std::ranges::find_if(base.spec.containers, [&](const Container& container) {
    return container.kind == ContainerKind::main && container.name.value_or("") == name;
  });
  return found == base.spec.containers.end() ? nullptr : &*found;
}

[[nodiscard]] std::string key_of(const BasePodTemplate& base, std::string_view part) {
  return fmt::format("PodTemplate/{}.{}", base.name, part);
}

[[nodiscard]] bool says_something(const Field<std::string>& field) {
  return field.is_opaque() || !field.value_or("").empty();
}

/// Amounts of the container, over those that are there or beside them.
void add_resources(const BasePodTemplate& base, const Container& container, bool overrides,
                   Resources& into) {
  const auto add = [&](const std::vector<ResourceEntry>& from, std::string_view list,
                       ResourceList& to) {
    for (const ResourceEntry& entry : from) {
      if (!overrides && to.find(entry.name.value) != nullptr) continue;
      to.set(entry.name.value,
             {entry.amount.value_or(Quantity{}), !entry.amount.is_known(), entry.amount.node(),
              fmt::format("PodTemplate/{}.{}.{}", base.name, list, entry.name.value)});
    }
  };
  add(container.resources.limits, "limits", into.limits);
  add(container.resources.requests, "requests", into.requests);
}

/// The template's containers that the task's own is built upon, the later over the earlier:
/// `default`, `primary`, and in Flyte 2 one that is called as the task's.
[[nodiscard]] std::vector<const Container*> base_containers(const BasePodTemplate& base,
                                                            const Task& task,
                                                            FlyteVersion version) {
  std::vector<const Container*> containers;
  const std::string& name = task.primary_container;
  const auto add = [&](std::string_view wanted) {
    const Container* found = find_container(base, wanted);
    if (found != nullptr) containers.push_back(found);
  };
  add(default_container);
  add(primary_container);
  const bool is_magic = name.empty() || name == default_container || name == primary_container;
  if (version == FlyteVersion::v2 && !is_magic) add(name);
  return containers;
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

std::shared_ptr<const BasePodTemplates> find_base_pod_templates(
    std::span<const Document* const> documents) {
  auto found = std::make_shared<BasePodTemplates>();
  for (const Document* document : documents) {
    if (document->host != nullptr || !document->errors.empty()) continue;
    for (const KubernetesObject& object : find_objects(root(*document))) {
      const std::string_view name = scalar_at(object.node, "name");
      const Node spec = object.node.get("template").get("spec");
      if (!object.kind.equals("PodTemplate") || name.empty() || !spec.is_mapping()) continue;
      BasePodTemplate& made = found->emplace_back();
      made.name = name;
      made.name_space = scalar_at(object.node, "namespace");
      made.object = object.node;
      made.spec = read_pod_spec(spec);
      made.affinity = read_go_yaml(spec.get("affinity")).value;
      for (const Workload& workload : find_pod_templates(object)) made.labels = workload.labels;
    }
  }
  return found->empty() ? nullptr : found;
}

BaseChoice choose_named_base(const BasePodTemplates* known, std::string_view name) {
  BaseChoice choice;
  choice.wanted = name;
  const BasePodTemplates none;
  for (const BasePodTemplate& each : known == nullptr ? none : *known) {
    if (each.name != name) continue;
    choice.is_open = choice.found != nullptr;
    choice.found = &each;
  }
  choice.is_open = choice.is_open || choice.found == nullptr;
  if (choice.is_open) choice.found = nullptr;
  return choice;
}

BaseChoice choose_base(const FlyteConfig& config, const Task& task) {
  const BasePodTemplates* known = config.pod_templates.get();
  if (!task.pod_template_name.value.empty()) {
    return choose_named_base(known, task.pod_template_name.value);
  }
  const ConfigValue* name = config.k8s.tree.find("default-pod-template-name");
  if (name == nullptr) return {};
  if (name->opaque) return {.found = nullptr, .wanted = {}, .is_open = true};
  if (name->text.empty()) return {};
  BaseChoice choice = choose_named_base(known, name->text);
  const bool is_for_all = choice.found == nullptr || choice.found->name_space.empty() ||
                          choice.found->name_space == "flyte";
  if (!is_for_all) {
    choice.found = nullptr;
    choice.is_open = true;
  }
  return choice;
}

void add_missing_resources(const BasePodTemplate& base, const Task& task, PodDraft& draft) {
  const std::string_view own = task.primary_container;
  const Container* found = own.empty() ? nullptr : find_container(base, own);
  if (found == nullptr) found = find_container(base, primary_container);
  if (found == nullptr) found = find_container(base, default_container);
  if (found != nullptr) add_resources(base, *found, false, draft.resources);
}

void merge_base(const BasePodTemplate& base, const Task& task, FlyteVersion version,
                PodDraft& draft) {
  PodDraft below;
  for (const Container* container : base_containers(base, task, version)) {
    add_resources(base, *container, true, below.resources);
    draft.is_resources_open = draft.is_resources_open || container->resources.opaque;
  }
  for (const Toleration& toleration : base.spec.tolerations) {
    below.tolerations.push_back({toleration, toleration.node, key_of(base, "tolerations")});
  }
  for (const LabelEntry& label : base.spec.node_selector) {
    set_node_selector(label, key_of(base, "nodeSelector"), below);
  }
  if (base.affinity.is_map()) {
    set_affinity(base.spec.node_affinity, base.affinity, key_of(base, "affinity"), below);
  }
  const auto take = [&](const Field<std::string>& from, std::string_view name,
                        Sourced<Field<std::string>>& to) {
    if (says_something(from)) to = {from, from.node(), key_of(base, name)};
  };
  take(base.spec.scheduler_name, "schedulerName", below.scheduler_name);
  take(base.spec.runtime_class_name, "runtimeClassName", below.runtime_class_name);
  for (const LabelEntry& label : base.labels) {
    below.labels.push_back({label, label.value.node(), key_of(base, "labels")});
  }
  draft.is_tolerations_open = draft.is_tolerations_open || base.spec.tolerations_opaque;
  draft.is_node_selector_open = draft.is_node_selector_open || base.spec.node_selector_opaque;
  draft.is_affinity_open = draft.is_affinity_open || base.spec.affinity_opaque;
  merge_onto(std::move(below), draft);
}

bool asks_for_gpus(const BasePodTemplate& base) {
  const auto asks = [](const ResourceEntry& entry) {
    const bool is_none = entry.amount.is_known() && entry.amount.value().is_zero();
    return is_gpu_resource(entry.name.value) && !is_none;
  };
  return std::ranges::any_of(base.spec.containers, [&](const Container& container) {
    const ResourceRequirements& amounts = container.resources;
    return std::ranges::any_of(amounts.limits, asks) || std::ranges::any_of(amounts.requests, asks);
  });
}

}  // namespace gpulint::flyte
