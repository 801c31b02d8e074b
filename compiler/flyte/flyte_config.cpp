#include "compiler/flyte/flyte_config.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/flyte/type_table.h"

namespace gpulint::flyte {
namespace {

// Sections that the processes of Flyte v1.16.8 and Flyte 2 register, in lower case. Those without
// a type are not looked into.
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

}  // namespace gpulint::flyte
