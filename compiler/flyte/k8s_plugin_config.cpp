#include <utility>

#include "compiler/flyte/flyte_config.h"

namespace gpulint::flyte {
namespace {

[[nodiscard]] Field<Quantity> to_quantity_field(const ConfigValue* value) {
  if (value == nullptr || value->is_null()) return Field<Quantity>::known(Quantity{});
  if (value->opaque) return Field<Quantity>::opaque(value->node);
  const auto quantity = Quantity::parse(value->text);
  return quantity ? Field<Quantity>::known(*quantity, value->node)
                  : Field<Quantity>::mistyped(value->node);
}

[[nodiscard]] std::optional<Toleration> to_optional_toleration(const ConfigValue* value) {
  if (value == nullptr || !value->is_map()) return std::nullopt;
  return to_toleration(*value);
}

[[nodiscard]] std::optional<SelectorRequirement> to_optional_requirement(const ConfigValue* value) {
  if (value == nullptr || !value->is_map()) return std::nullopt;
  return to_requirement(*value);
}

[[nodiscard]] std::vector<SelectorRequirement> to_requirements(const ConfigValue* list) {
  std::vector<SelectorRequirement> result;
  if (list == nullptr) return result;
  for (const ConfigValue& item : list->items) result.push_back(to_requirement(item));
  return result;
}

[[nodiscard]] SelectorTerm to_term(const ConfigValue& value) {
  SelectorTerm term;
  term.node = value.node;
  term.expressions = to_requirements(value.find("matchExpressions"));
  term.fields = to_requirements(value.find("matchFields"));
  return term;
}

[[nodiscard]] std::vector<ResourceTolerations> to_resource_tolerations(const ConfigValue* map) {
  std::vector<ResourceTolerations> result;
  if (map == nullptr) return result;
  for (const ConfigEntry& entry : map->entries) {
    result.push_back({{entry.key, entry.key_node}, to_tolerations(&entry.value)});
  }
  return result;
}

[[nodiscard]] AcceleratorClass to_accelerator_class(const ConfigEntry& entry) {
  AcceleratorClass result;
  result.name = {entry.key, entry.key_node};
  result.resource_name = to_text_field(entry.value.find("resource-name"));
  result.device_node_label = to_text_field(entry.value.find("device-node-label"));
  result.partition_size_node_label = to_text_field(entry.value.find("partition-size-node-label"));
  result.unpartitioned_requirement =
      to_optional_requirement(entry.value.find("unpartitioned-node-selector-requirement"));
  result.unpartitioned_toleration =
      to_optional_toleration(entry.value.find("unpartitioned-toleration"));
  if (const ConfigValue* pod_template = entry.value.find("pod-template")) {
    result.pod_template = *pod_template;
  }
  return result;
}

}  // namespace

Field<std::string> to_text_field(const ConfigValue* value, Node where) {
  if (value == nullptr || value->is_null()) return Field<std::string>::absent(where);
  if (value->opaque) return Field<std::string>::opaque(value->node);
  return Field<std::string>::known(value->text, value->node);
}

Toleration to_toleration(const ConfigValue& value) {
  Toleration toleration;
  toleration.node = value.node;
  toleration.key = to_text_field(value.find("key"), value.node);
  toleration.op = to_text_field(value.find("operator"), value.node);
  toleration.value = to_text_field(value.find("value"), value.node);
  toleration.effect = to_text_field(value.find("effect"), value.node);
  const ConfigValue* seconds = value.find("tolerationSeconds");
  if (seconds != nullptr && seconds->opaque) {
    toleration.toleration_seconds = Field<std::int64_t>::opaque(seconds->node);
  } else if (seconds != nullptr && !seconds->is_null()) {
    toleration.toleration_seconds = Field<std::int64_t>::known(seconds->integer, seconds->node);
  } else {
    toleration.toleration_seconds = Field<std::int64_t>::absent(value.node);
  }
  return toleration;
}

std::vector<Toleration> to_tolerations(const ConfigValue* list) {
  std::vector<Toleration> result;
  if (list == nullptr) return result;
  for (const ConfigValue& item : list->items) result.push_back(to_toleration(item));
  return result;
}

SelectorRequirement to_requirement(const ConfigValue& value) {
  SelectorRequirement requirement;
  requirement.node = value.node;
  requirement.key = to_text_field(value.find("key"), value.node);
  requirement.op = to_text_field(value.find("operator"), value.node);
  if (const ConfigValue* values = value.find("values")) {
    for (const ConfigValue& item : values->items) {
      requirement.values.push_back(to_text_field(&item));
    }
  }
  return requirement;
}

NodeAffinity to_node_affinity(const ConfigValue& affinity) {
  NodeAffinity result;
  const ConfigValue* node_affinity = affinity.find("nodeAffinity");
  if (node_affinity == nullptr || !node_affinity->is_map()) return result;
  result.node = node_affinity->node;
  const ConfigValue* required =
      node_affinity->find("requiredDuringSchedulingIgnoredDuringExecution");
  result.has_required = required != nullptr && required->is_map();
  const ConfigValue* terms = result.has_required ? required->find("nodeSelectorTerms") : nullptr;
  if (terms != nullptr) {
    for (const ConfigValue& term : terms->items) result.required.push_back(to_term(term));
  }
  const ConfigValue* preferred =
      node_affinity->find("preferredDuringSchedulingIgnoredDuringExecution");
  if (preferred == nullptr) return result;
  for (const ConfigValue& item : preferred->items) {
    const ConfigValue* preference = item.find("preference");
    SelectorTerm term = preference == nullptr ? SelectorTerm{} : to_term(*preference);
    term.node = item.node;
    if (const ConfigValue* weight = item.find("weight")) term.weight = weight->integer;
    result.preferred.push_back(std::move(term));
  }
  return result;
}

std::vector<LabelEntry> to_labels(const ConfigValue* map) {
  std::vector<LabelEntry> result;
  if (map == nullptr) return result;
  for (const ConfigEntry& entry : map->entries) {
    result.push_back({{entry.key, entry.key_node}, to_text_field(&entry.value)});
  }
  return result;
}

K8sPluginConfig make_k8s_plugin_config(ConfigValue tree) {
  K8sPluginConfig config;
  config.gpu_resource_name = to_text_field(tree.find("gpu-resource-name"));
  config.gpu_device_node_label = to_text_field(tree.find("gpu-device-node-label"));
  config.gpu_partition_size_node_label = to_text_field(tree.find("gpu-partition-size-node-label"));
  config.gpu_unpartitioned_requirement =
      to_optional_requirement(tree.find("gpu-unpartitioned-node-selector-requirement"));
  config.gpu_unpartitioned_toleration =
      to_optional_toleration(tree.find("gpu-unpartitioned-toleration"));
  config.resource_tolerations = to_resource_tolerations(tree.find("resource-tolerations"));
  config.default_tolerations = to_tolerations(tree.find("default-tolerations"));
  config.interruptible_tolerations = to_tolerations(tree.find("interruptible-tolerations"));
  config.default_node_selector = to_labels(tree.find("default-node-selector"));
  config.interruptible_node_selector = to_labels(tree.find("interruptible-node-selector"));
  config.interruptible_requirement =
      to_optional_requirement(tree.find("interruptible-node-selector-requirement"));
  config.non_interruptible_requirement =
      to_optional_requirement(tree.find("non-interruptible-node-selector-requirement"));
  const ConfigValue* affinity = tree.find("default-affinity");
  if (affinity != nullptr && affinity->is_map()) {
    config.default_affinity = to_node_affinity(*affinity);
  }
  if (const auto* resources = tree.find("add-tolerations-for-extended-resources")) {
    for (const ConfigValue& item : resources->items) {
      config.extended_resources.push_back(to_text_field(&item));
    }
  }
  config.scheduler_name = to_text_field(tree.find("scheduler-name"));
  config.default_cpus = to_quantity_field(tree.find("default-cpus"));
  config.default_memory = to_quantity_field(tree.find("default-memory"));
  config.accelerator_devices = to_labels(tree.find("accelerator-devices"));
  if (const ConfigValue* classes = tree.find("accelerator-device-classes")) {
    for (const ConfigEntry& entry : classes->entries) {
      config.accelerator_classes.push_back(to_accelerator_class(entry));
    }
  }
  config.tree = std::move(tree);
  return config;
}

}  // namespace gpulint::flyte
