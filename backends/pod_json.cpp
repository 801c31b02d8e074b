#include "backends/pod_json.h"

#include <utility>

namespace gpulint {
namespace {

using Json = nlohmann::ordered_json;
using flyte::ConfigValue;

/// The field's value, the text as written where it is not known; nothing where it is absent or
/// empty, as the Kubernetes API leaves it out.
void put_text(const char* name, const Field<std::string>& field, Json& object) {
  std::string text = field.is_opaque() ? std::string(field.node().text()) : field.value_or("");
  if (!text.empty()) object[name] = std::move(text);
}

[[nodiscard]] std::string shown_text(const Field<std::string>& field) {
  return field.is_opaque() ? std::string(field.node().text()) : field.value_or("");
}

[[nodiscard]] Json toleration_json(const Toleration& toleration) {
  Json object = Json::object();
  put_text("key", toleration.key, object);
  put_text("operator", toleration.op, object);
  put_text("value", toleration.value, object);
  put_text("effect", toleration.effect, object);
  if (toleration.toleration_seconds.is_known()) {
    object["tolerationSeconds"] = toleration.toleration_seconds.value();
  }
  return object;
}

[[nodiscard]] Json requirements_json(const std::vector<SelectorRequirement>& requirements) {
  Json list = Json::array();
  for (const SelectorRequirement& requirement : requirements) {
    Json object = {{"key", shown_text(requirement.key)}, {"operator", shown_text(requirement.op)}};
    if (!requirement.values.empty()) {
      Json values = Json::array();
      for (const auto& value : requirement.values) values.push_back(shown_text(value));
      object["values"] = std::move(values);
    }
    list.push_back(std::move(object));
  }
  return list;
}

[[nodiscard]] Json term_json(const SelectorTerm& term) {
  Json object = Json::object();
  if (!term.expressions.empty()) object["matchExpressions"] = requirements_json(term.expressions);
  if (!term.fields.empty()) object["matchFields"] = requirements_json(term.fields);
  return object;
}

[[nodiscard]] Json node_affinity_json(const NodeAffinity& affinity) {
  Json object = Json::object();
  if (affinity.has_required) {
    Json terms = Json::array();
    for (const SelectorTerm& term : affinity.required) terms.push_back(term_json(term));
    object["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"] =
        std::move(terms);
  }
  for (const SelectorTerm& term : affinity.preferred) {
    object["preferredDuringSchedulingIgnoredDuringExecution"].push_back(
        {{"weight", term.weight}, {"preference", term_json(term)}});
  }
  return object;
}

/// A decoded value as it stands; what is unset is absent.
[[nodiscard]] Json config_json(const ConfigValue& value) {
  switch (value.kind) {
    case ConfigValue::Kind::null:
      return nullptr;
    case ConfigValue::Kind::boolean:
      return value.boolean;
    case ConfigValue::Kind::integer:
      return value.integer;
    case ConfigValue::Kind::list: {
      Json list = Json::array();
      for (const ConfigValue& item : value.items) list.push_back(config_json(item));
      return list;
    }
    case ConfigValue::Kind::map: {
      Json object = Json::object();
      for (const auto& entry : value.entries) {
        Json item = config_json(entry.value);
        const bool is_empty = item.is_null() || (item.is_structured() && item.empty());
        if (!is_empty) object[entry.key] = std::move(item);
      }
      return object;
    }
    case ConfigValue::Kind::unsigned_integer:
    case ConfigValue::Kind::floating:
    case ConfigValue::Kind::string:
    case ConfigValue::Kind::timestamp:
      return value.text;
  }
  return nullptr;
}

[[nodiscard]] Json resource_list_json(const std::vector<ResourceEntry>& entries) {
  Json object = Json::object();
  for (const ResourceEntry& entry : entries) {
    object[entry.name.value] = entry.amount.is_known() ? entry.amount.value().to_string()
                                                       : std::string(entry.amount.node().text());
  }
  return object;
}

void put(const char* name, Json value, Json& object) {
  if (!value.empty()) object[name] = std::move(value);
}

}  // namespace

nlohmann::ordered_json pod_spec_json(const flyte::CompiledPod& pod) {
  const PodSpec& spec = pod.workload.pod;
  Json object = Json::object();
  Json tolerations = Json::array();
  for (const Toleration& toleration : spec.tolerations) {
    tolerations.push_back(toleration_json(toleration));
  }
  put("tolerations", std::move(tolerations), object);
  Json selector = Json::object();
  for (const LabelEntry& label : spec.node_selector) {
    selector[label.key.value] = shown_text(label.value);
  }
  put("nodeSelector", std::move(selector), object);
  Json affinity = Json::object();
  put("nodeAffinity", node_affinity_json(spec.node_affinity), affinity);
  for (const auto& entry : pod.affinity.entries) {
    put(entry.key.c_str(), config_json(entry.value), affinity);
  }
  put("affinity", std::move(affinity), object);
  for (const Container& container : spec.containers) {
    Json resources = Json::object();
    put("limits", resource_list_json(container.resources.limits), resources);
    put("requests", resource_list_json(container.resources.requests), resources);
    Json shown = Json::object();
    put_text("name", container.name, shown);
    put("resources", std::move(resources), shown);
    object["containers"].push_back(std::move(shown));
  }
  put_text("runtimeClassName", spec.runtime_class_name, object);
  put_text("schedulerName", spec.scheduler_name, object);
  return object;
}

nlohmann::ordered_json pod_labels_json(const flyte::CompiledPod& pod) {
  Json object = Json::object();
  for (const LabelEntry& label : pod.workload.labels) {
    object[label.key.value] = shown_text(label.value);
  }
  return object;
}

}  // namespace gpulint
