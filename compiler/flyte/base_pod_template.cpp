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

/// Containers of a template that apply to each of the task's containers, and to the primary one.
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

/// Adds amounts of the container; they replace equal ones.
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

/// The template's containers that the task's own is merged onto, later ones over earlier ones:
/// `default`, `primary`, and in Flyte 2 one with the name of the task's container.
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

BaseChoice choose_base(const BasePodTemplates* known, const ConfigValue* default_name,
                       const Task& task) {
  if (!task.pod_template_name.value.empty()) {
    return choose_named_base(known, task.pod_template_name.value);
  }
  if (default_name == nullptr) return {};
  if (default_name->opaque) return {.found = nullptr, .wanted = {}, .is_open = true};
  if (default_name->text.empty()) return {};
  BaseChoice choice = choose_named_base(known, default_name->text);
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
