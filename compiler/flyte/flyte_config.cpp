#include "compiler/flyte/flyte_config.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/flyte/decode.h"
#include "compiler/model/facts/accelerator_catalog.h"

namespace gpulint::flyte {
namespace {

// Sections that the processes of Flyte v1.16.8 and Flyte 2 register, in lower case. Sections
// without a type are not read.
constexpr auto root_sections = std::to_array<std::string_view>({"actions",
                                                                "admin",
                                                                "application",
                                                                "apps",
                                                                "auth",
                                                                "aws",
                                                                "cache",
                                                                "cache_service",
                                                                "catalog-cache",
                                                                "cloudevents",
                                                                "cluster_resources",
                                                                "clusterpools",
                                                                "clusters",
                                                                "console",
                                                                "database",
                                                                "datacatalog",
                                                                "dataproxy",
                                                                "domains",
                                                                "event",
                                                                "events",
                                                                "executor",
                                                                "externalevents",
                                                                "files",
                                                                "flyte",
                                                                "flyteadmin",
                                                                "internalapps",
                                                                "logger",
                                                                "manager",
                                                                "namespace_mapping",
                                                                "notifications",
                                                                "otel",
                                                                "plugins",
                                                                "prof",
                                                                "propeller",
                                                                "qualityofservice",
                                                                "queues",
                                                                "registration",
                                                                "remotedata",
                                                                "resourcemanager",
                                                                "runs",
                                                                "scheduler",
                                                                "secret",
                                                                "secrets",
                                                                "server",
                                                                "storage",
                                                                "task_resources",
                                                                "task_type_whitelist",
                                                                "tasks",
                                                                "webhook"});
constexpr auto plugin_sections = std::to_array<std::string_view>({"agent-service",
                                                                  "athena",
                                                                  "aws",
                                                                  "batch",
                                                                  "bigquery",
                                                                  "catalogcache",
                                                                  "connector-service",
                                                                  "dask",
                                                                  "databricks",
                                                                  "echo",
                                                                  "hive",
                                                                  "ioutils",
                                                                  "k8s",
                                                                  "k8s-array",
                                                                  "kf-operator",
                                                                  "logs",
                                                                  "mpi",
                                                                  "presto",
                                                                  "qubole",
                                                                  "ray",
                                                                  "sagemaker",
                                                                  "snowflake",
                                                                  "spark"});

[[nodiscard]] bool is_section_of(std::span<const std::string_view> list, std::string_view key) {
  return std::ranges::find(list, key) != list.end();
}

/// Flyte 2 upper-cases the names of accelerator device classes when it reads its configuration.
void upper_case_classes(ConfigValue& k8s) {
  ConfigValue* classes = k8s.find("accelerator-device-classes");
  if (classes == nullptr) return;
  std::vector<ConfigEntry> entries = std::exchange(classes->entries, {});
  for (ConfigEntry& entry : entries) {
    std::ranges::transform(entry.key, entry.key.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; });
    classes->set(entry.key, std::move(entry.value), entry.key_node);
  }
}

// flyteadmin/pkg/runtime/task_resource_provider.go of v1.16.8.
[[nodiscard]] ConfigValue task_resource_defaults() {
  ConfigValue map = make_map();
  ConfigValue& defaults = map.at_or_add("defaults");
  defaults.set("cpu", make_string("2"));
  defaults.set("memory", make_string("200Mi"));
  ConfigValue& limits = map.at_or_add("limits");
  limits.set("cpu", make_string("2"));
  limits.set("memory", make_string("1Gi"));
  limits.set("gpu", make_string("1"));
  return map;
}

class Loader {
 public:
  explicit Loader(FlyteVersion version) : types_(version), decoder_(types_, report_) {
    config_.version = version;
  }

  [[nodiscard]] FlyteConfig load(std::span<const ConfigFile> files) {
    MergedSettings merged = merge_config_files(files, config_.version);
    config_.lost = std::move(merged.lost);
    for (const ConfigFile& file : files) {
      report_.problems.insert(report_.problems.end(), file.problems.begin(), file.problems.end());
    }
    ConfigValue k8s = k8s_plugin_defaults(config_.version);
    if (config_.version == FlyteVersion::v1) config_.task_resources = task_resource_defaults();
    read_root(merged.settings, k8s);
    upper_case_classes(k8s);
    config_.k8s = make_k8s_plugin_config(std::move(k8s));
    config_.settings = std::move(merged.settings);
    config_.unknown_keys = std::move(report_.unknown_keys);
    config_.problems = std::move(report_.problems);
    return std::move(config_);
  }

 private:
  void read_root(const ConfigValue& settings, ConfigValue& k8s) {
    for (const ConfigEntry& entry : settings.entries) {
      if (entry.key == "plugins") {
        read_plugins(entry.value, k8s);
      } else if (entry.key == "task_resources" && config_.version == FlyteVersion::v1) {
        decoder_.decode("task_resources", entry.value, "TaskResourceConfig",
                        config_.task_resources);
      } else if (!is_section_of(root_sections, entry.key)) {
        add_unknown("", entry);
      }
    }
  }

  void read_plugins(const ConfigValue& plugins, ConfigValue& k8s) {
    if (!plugins.is_map()) {
      report_.problems.push_back(
          {"plugins", "expected a map or struct, got something else", plugins.node});
      return;
    }
    for (const ConfigEntry& entry : plugins.entries) {
      if (entry.key == "k8s") {
        decoder_.decode("plugins.k8s", entry.value, "K8sPluginConfig", k8s);
      } else if (entry.key == "logs") {
        ConfigValue logs;
        decoder_.decode("plugins.logs", entry.value, "LogConfig", logs);
      } else if (!is_section_of(plugin_sections, entry.key)) {
        add_unknown("plugins.", entry);
      }
    }
  }

  void add_unknown(std::string_view section, const ConfigEntry& entry) {
    report_.unknown_keys.push_back(
        {fmt::format("{}{}", section, entry.key), entry.key, {}, entry.key_node, entry.value.node});
  }

  TypeTable types_;
  Decoded report_;
  Decoder decoder_;
  FlyteConfig config_;
};

[[nodiscard]] ConfigValue co_pilot_defaults(FlyteVersion version) {
  const bool is_v1 = version == FlyteVersion::v1;
  ConfigValue map = make_map();
  map.set("name", make_string("flyte-copilot-"));
  map.set("image", make_string(is_v1 ? "cr.flyte.org/flyteorg/flytecopilot:v0.0.15"
                                     : "cr.flyte.org/flyteorg/flyte-binary-v2:latest"));
  map.set("default-input-path", make_string("/var/flyte/inputs"));
  map.set("default-output-path", make_string("/var/flyte/outputs"));
  map.set("input-vol-name", make_string("flyte-inputs"));
  map.set("output-vol-name", make_string("flyte-outputs"));
  map.set("timeout", make_string("1h0m0s"));
  map.set("cpu", make_string("500m"));
  map.set("memory", make_string("128Mi"));
  return map;
}

[[nodiscard]] ConfigValue device_defaults() {
  ConfigValue map = make_map();
  for (const BackendDevice& device : flyte2_backend_devices()) {
    map.entries.push_back(make_entry(device.key, make_string(device.label_value)));
  }
  return map;
}

[[nodiscard]] ConfigValue class_defaults() {
  struct Class {
    std::string_view name;
    std::string_view resource;
  };
  constexpr std::array classes{
      Class{"NVIDIA_GPU", "nvidia.com/gpu"}, Class{"GOOGLE_TPU", "google.com/tpu"},
      Class{"AMAZON_NEURON", "aws.amazon.com/neuron"}, Class{"AMD_GPU", "amd.com/gpu"},
      Class{"HABANA_GAUDI", "habana.ai/gaudi"}};
  ConfigValue map = make_map();
  for (const Class& entry : classes) {
    ConfigValue& settings = map.at_or_add(entry.name);
    settings.set("resource-name", make_string(entry.resource));
    if (entry.name != "GOOGLE_TPU") continue;
    settings.set("device-node-label", make_string("cloud.google.com/gke-tpu-accelerator"));
    settings.set("partition-size-node-label", make_string("cloud.google.com/gke-tpu-topology"));
  }
  return map;
}

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

std::span<const std::string_view> root_section_names() { return root_sections; }

std::span<const std::string_view> plugin_section_names() { return plugin_sections; }

Node FlyteConfig::find_setting(std::string_view dotted_key) const {
  const ConfigValue* at = &settings;
  while (!dotted_key.empty()) {
    const std::string_view head = take_part(dotted_key, '.');
    const auto entry = std::ranges::find_if(
        at->entries, [&](const ConfigEntry& candidate) { return equal_fold(candidate.key, head); });
    if (entry == at->entries.end()) return {};
    at = &entry->value;
  }
  return at->node;
}

Node FlyteConfig::find_decisive(std::string_view dotted_key) const {
  const Node given = find_setting(dotted_key);
  if (given) return given;
  const auto deletion = std::ranges::find(deletions, dotted_key, &Deletion::key);
  return deletion == deletions.end() ? Node{} : deletion->null;
}

FlyteConfig load_flyte_config(std::span<const ConfigFile> files, FlyteVersion version) {
  return Loader(version).load(files);
}

// flyteplugins/go/tasks/pluginmachinery/flytek8s/config/config.go of v1.16.8 and Flyte 2.
ConfigValue k8s_plugin_defaults(FlyteVersion version) {
  ConfigValue map = make_map();
  map.at_or_add("default-annotations")
      .set("cluster-autoscaler.kubernetes.io/safe-to-evict", make_string("false"));
  map.set("default-cpus", make_string("1"));
  map.set("default-memory", make_string("1Gi"));
  map.set("co-pilot", co_pilot_defaults(version));
  map.set("create-container-error-grace-period", make_string("3m0s"));
  map.set("image-pull-backoff-grace-period", make_string("3m0s"));
  map.set("gpu-device-node-label", make_string("k8s.amazonaws.com/accelerator"));
  map.set("gpu-partition-size-node-label", make_string("k8s.amazonaws.com/gpu-partition-size"));
  map.set("gpu-resource-name", make_string("nvidia.com/gpu"));
  map.set("default-pod-template-resync", make_string("30s"));
  map.set("update-base-backoff-duration", make_integer(10));
  map.set("update-backoff-retries", make_integer(5));
  if (version == FlyteVersion::v2) {
    map.set("accelerator-devices", device_defaults());
    map.set("accelerator-device-classes", class_defaults());
  }
  return map;
}

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
