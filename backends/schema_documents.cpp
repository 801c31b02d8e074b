#include "backends/schema_documents.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/engine/config.h"
#include "compiler/engine/registry.h"
#include "compiler/flyte/decode.h"
#include "compiler/model/facts/flyte_key_catalog.h"

namespace gpulint {
namespace {

constexpr std::string_view plugin_struct = "K8sPluginConfig";
/// Structs without GPU settings that would be most of the schema.
constexpr auto left_open = std::to_array<std::string_view>({"PodTemplate", "StorageConfig"});

[[nodiscard]] std::string plugin_key_help(std::string_view name) {
  const FlytePluginKey* key = find_flyte_plugin_key(name);
  if (key == nullptr) return "";
  std::string help;
  const std::string_view value = key->in_v1 ? key->default_v1 : key->default_v2;
  if (value != "null" && value.size() < 80) help += fmt::format("Default: {}.", value);
  if (!key->in_v1) help += " Flyte 2 only.";
  if (!key->in_v2) help += " Flyte 1 only.";
  if (key->deprecated_in_v1 || key->deprecated_in_v2) help += " Deprecated.";
  return help;
}

/// The type that the API server accepts, which is stricter than the configuration's decoder.
[[nodiscard]] std::string_view schema_type(std::string_view structure,
                                           const flyte::GoField& field) {
  if (structure != "Toleration") return field.type;
  if (field.name == "operator") return "words:Equal|Exists|Lt|Gt";
  if (field.name == "effect") return "words:NoSchedule|PreferNoSchedule|NoExecute";
  return field.name == "key" || field.name == "value" ? "text" : field.type;
}

/// Adds Flyte's own structs that `type` refers to, directly or not.
void add_structs(const flyte::TypeTable& types, std::string_view type, SchemaDocument& document) {
  while (type.starts_with('*') || type.starts_with("[]") || type.starts_with("map:")) {
    type.remove_prefix(type.starts_with('*') ? 1 : type.starts_with("[]") ? 2 : 4);
  }
  const flyte::GoStruct* found = types.find(type);
  const bool known =
      std::ranges::any_of(document.structs, [&](const SchemaStruct& s) { return s.name == type; });
  if (found == nullptr || known) return;
  SchemaStruct added{std::string(type), {}};
  const bool is_left_open = std::ranges::find(left_open, type) != left_open.end();
  // the charts themselves write `storage`, which Flyte no longer reads
  added.is_open = is_left_open || type == "TaskResourceSet";
  if (!is_left_open) {
    for (const flyte::GoField& field : found->fields) {
      const std::string help = type == plugin_struct ? plugin_key_help(field.name) : "";
      added.fields.push_back(
          {std::string(field.name), std::string(schema_type(type, field)), help});
    }
  }
  document.structs.push_back(std::move(added));
  if (is_left_open) return;
  for (const flyte::GoField& field : found->fields) add_structs(types, field.type, document);
}

/// The keys with GPU settings in values of flyte-core and flyte-binary, alone or below a parent
/// chart's key, and in Flyte's own configuration. Everything else is allowed.
[[nodiscard]] std::vector<SchemaStruct> places() {
  const std::string resources = "TaskResourceConfig";
  const auto open = [](std::string name, std::vector<SchemaField> fields) {
    return SchemaStruct{std::move(name), std::move(fields), true};
  };
  return {open("Values", {{"configmap", "ConfigMaps", "Configuration in flyte-core's values."},
                          {"configuration", "Configuration", "The same in flyte-binary's."},
                          {"plugins", "Plugins", "The same in Flyte's own configuration."},
                          {"task_resources", resources, "Read by flyteadmin."},
                          {"flyte", "Values", "Values of a chart below a parent's key."},
                          {"flyte-core", "Values", "Values of a chart below a parent's key."},
                          {"flyte-binary", "Values", "Values of a chart below a parent's key."}}),
          open("ConfigMaps", {{"k8s", "PluginFile", "The Kubernetes plugin of propeller."},
                              {"task_resource_defaults", "ResourceFile", "Read by flyteadmin."}}),
          open("PluginFile", {{"plugins", "Plugins", ""}}),
          open("ResourceFile", {{"task_resources", resources, ""}}),
          open("Configuration", {{"inline", "Inline", "Merged over the chart's own settings."}}),
          open("Inline", {{"plugins", "Plugins", ""}, {"task_resources", resources, ""}}),
          open("Plugins", {{"k8s", std::string(plugin_struct), "Pods of tasks."}})};
}

}  // namespace

SchemaDocument config_schema() {
  SchemaDocument document{.title = "gpulint.yaml",
                          .root = std::string(config_root),
                          .structs = {},
                          .reading = SchemaReading::strict,
                          .rules = {}};
  for (const ConfigKey& key : config_keys()) {
    if (document.structs.empty() || document.structs.back().name != key.section) {
      document.structs.push_back({std::string(key.section), {}});
    }
    document.structs.back().fields.push_back(
        {std::string(key.name), std::string(key.type), std::string(key.help), key.is_required});
  }
  std::set<std::string> names;
  for (const RegisteredRule& rule : all_rules()) {
    names.emplace(rule.rule->info.id);
    names.emplace(rule.rule->info.category);
  }
  document.rules.assign(names.begin(), names.end());
  return document;
}

SchemaDocument flyte_values_schema() {
  SchemaDocument document{.title = "The GPU part of Flyte's Helm values and configuration",
                          .root = "Values",
                          .structs = places(),
                          .reading = SchemaReading::weak,
                          .rules = {}};
  const flyte::TypeTable types(FlyteVersion::unknown);
  for (const std::string_view root : {plugin_struct, std::string_view("TaskResourceConfig")}) {
    add_structs(types, root, document);
  }
  return document;
}

}  // namespace gpulint
