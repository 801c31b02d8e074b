#include "compiler/flyte/pod_manifest.h"

#include <string_view>
#include <utility>
#include <vector>

#include "compiler/ir/yaml_string.h"

namespace gpulint::flyte {
namespace {

/// The field's value; the text as written if it is unknown.
[[nodiscard]] ConfigValue text_value(const Field<std::string>& field) {
  return make_string(field.is_opaque() ? field.node().text() : field.value_or(""));
}

/// Leaves out absent and empty values, as the Kubernetes API does.
void put(std::string_view name, ConfigValue value, ConfigValue& object) {
  if (!value.is_empty()) object.set(name, std::move(value));
}

/// A decoded value unchanged; unset fields are absent.
[[nodiscard]] ConfigValue without_unset(ConfigValue value) {
  for (ConfigValue& item : value.items) item = without_unset(std::move(item));
  for (ConfigEntry& entry : value.entries) entry.value = without_unset(std::move(entry.value));
  std::erase_if(value.entries, [](const ConfigEntry& entry) {
    return entry.value.is_null() || (entry.value.is_collection() && entry.value.is_empty());
  });
  return value;
}

[[nodiscard]] ConfigValue toleration_value(const Toleration& toleration) {
  ConfigValue object = make_map();
  put("key", text_value(toleration.key), object);
  put("operator", text_value(toleration.op), object);
  put("value", text_value(toleration.value), object);
  put("effect", text_value(toleration.effect), object);
  if (toleration.toleration_seconds.is_known()) {
    object.set("tolerationSeconds", make_integer(toleration.toleration_seconds.value()));
  }
  return object;
}

[[nodiscard]] ConfigValue requirements_value(const std::vector<SelectorRequirement>& requirements) {
  ConfigValue list = make_list();
  for (const SelectorRequirement& requirement : requirements) {
    ConfigValue object = make_map();
    object.set("key", text_value(requirement.key));
    object.set("operator", text_value(requirement.op));
    ConfigValue values = make_list();
    for (const auto& value : requirement.values) values.items.push_back(text_value(value));
    put("values", std::move(values), object);
    list.items.push_back(std::move(object));
  }
  return list;
}

[[nodiscard]] ConfigValue term_value(const SelectorTerm& term) {
  ConfigValue object = make_map();
  put("matchExpressions", requirements_value(term.expressions), object);
  put("matchFields", requirements_value(term.fields), object);
  return object;
}

[[nodiscard]] ConfigValue node_affinity_value(const NodeAffinity& affinity) {
  ConfigValue object = make_map();
  if (affinity.has_required) {
    ConfigValue terms = make_list();
    for (const SelectorTerm& term : affinity.required) terms.items.push_back(term_value(term));
    ConfigValue required = make_map();
    required.set("nodeSelectorTerms", std::move(terms));
    object.set("requiredDuringSchedulingIgnoredDuringExecution", std::move(required));
  }
  ConfigValue preferred = make_list();
  for (const SelectorTerm& term : affinity.preferred) {
    ConfigValue weighted = make_map();
    weighted.set("weight", make_integer(term.weight));
    weighted.set("preference", term_value(term));
    preferred.items.push_back(std::move(weighted));
  }
  put("preferredDuringSchedulingIgnoredDuringExecution", std::move(preferred), object);
  return object;
}

/// An amount that is computed is null; a placeholder has its text.
[[nodiscard]] ConfigValue amount_value(const Field<Quantity>& amount) {
  if (amount.is_known()) return make_string(amount.value().to_string());
  const std::string text(amount.node().text());
  return text.empty() ? make_null() : make_string(text);
}

[[nodiscard]] ConfigValue resource_list_value(const std::vector<ResourceEntry>& entries) {
  ConfigValue object = make_map();
  for (const ResourceEntry& entry : entries) {
    object.set(entry.name.value, amount_value(entry.amount));
  }
  return object;
}

[[nodiscard]] ConfigValue label_map(const std::vector<LabelEntry>& labels) {
  ConfigValue object = make_map();
  for (const LabelEntry& label : labels) object.set(label.key.value, text_value(label.value));
  return object;
}

[[nodiscard]] ConfigValue container_value(const Container& container) {
  ConfigValue resources = make_map();
  put("limits", resource_list_value(container.resources.limits), resources);
  put("requests", resource_list_value(container.resources.requests), resources);
  ConfigValue object = make_map();
  put("name", text_value(container.name), object);
  put("resources", std::move(resources), object);
  return object;
}

void append_json(const ConfigValue& value, std::string& text) {
  std::string_view separator;
  switch (value.kind) {
    case ConfigValue::Kind::null:
      text += "null";
      return;
    case ConfigValue::Kind::boolean:
      text += value.boolean ? "true" : "false";
      return;
    case ConfigValue::Kind::integer:
      text += std::to_string(value.integer);
      return;
    case ConfigValue::Kind::list:
      text += '[';
      for (const ConfigValue& item : value.items) {
        text += std::exchange(separator, ",");
        append_json(item, text);
      }
      text += ']';
      return;
    case ConfigValue::Kind::map:
      text += '{';
      for (const ConfigEntry& entry : value.entries) {
        text += std::exchange(separator, ",");
        text += double_quoted(entry.key) + ":";
        append_json(entry.value, text);
      }
      text += '}';
      return;
    case ConfigValue::Kind::unsigned_integer:
    case ConfigValue::Kind::floating:
    case ConfigValue::Kind::string:
    case ConfigValue::Kind::timestamp:
      text += double_quoted(value.text);
  }
}

}  // namespace

ConfigValue pod_spec_value(const CompiledPod& pod) {
  const PodSpec& spec = pod.workload.pod;
  ConfigValue object = make_map();
  ConfigValue tolerations = make_list();
  for (const Toleration& toleration : spec.tolerations) {
    tolerations.items.push_back(toleration_value(toleration));
  }
  put("tolerations", std::move(tolerations), object);
  put("nodeSelector", label_map(spec.node_selector), object);
  ConfigValue affinity = make_map();
  put("nodeAffinity", node_affinity_value(spec.node_affinity), affinity);
  for (const ConfigEntry& entry : pod.affinity.entries) {
    put(entry.key, without_unset(entry.value), affinity);
  }
  put("affinity", std::move(affinity), object);
  ConfigValue containers = make_list();
  for (const Container& container : spec.containers) {
    containers.items.push_back(container_value(container));
  }
  put("containers", std::move(containers), object);
  put("runtimeClassName", text_value(spec.runtime_class_name), object);
  put("schedulerName", text_value(spec.scheduler_name), object);
  return object;
}

ConfigValue pod_labels_value(const CompiledPod& pod) { return label_map(pod.workload.labels); }

std::string pod_manifest(const CompiledPod& pod) {
  ConfigValue spec = pod_spec_value(pod);
  if (ConfigValue* const containers = spec.find("containers")) {
    for (ConfigValue& container : containers->items) {
      if (container.find("name") == nullptr) container.set("name", make_string("task"));
      container.set("image", make_string("task"));
    }
  }
  ConfigValue metadata = make_map();
  metadata.set("name", make_string("task"));
  metadata.set("labels", pod_labels_value(pod));
  ConfigValue object = make_map();
  object.set("apiVersion", make_string("v1"));
  object.set("kind", make_string("Pod"));
  object.set("metadata", std::move(metadata));
  object.set("spec", std::move(spec));
  std::string text;
  append_json(object, text);
  return text;
}

}  // namespace gpulint::flyte
