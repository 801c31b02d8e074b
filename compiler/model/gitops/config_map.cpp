#include "compiler/model/gitops/config_map.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/text.h"

namespace gpulint {
namespace {

[[nodiscard]] bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// Whether the parts of a name between `-` and `.` contain these words, one after the other.
[[nodiscard]] bool has_words(std::string_view name, std::string_view words) {
  std::string spaced = "-" + std::string(name) + "-";
  std::ranges::replace(spaced, '.', '-');
  return holds(spaced, "-" + std::string(words) + "-");
}

[[nodiscard]] bool is_of_device_plugin(std::string_view name, std::string_view application) {
  if (application == "nvidia-device-plugin") return true;
  // other vendors also have device plugins; only NVIDIA's shares GPUs by time slices
  if (has_words(name, "time-slicing") || holds(name, "timeslicing")) return true;
  return name == "device-plugin-config" || name == "device-plugin-configs" ||
         holds(name, "nvidia-device-plugin") || holds(name, "nvidia-plugin-config");
}

[[nodiscard]] bool is_of_mig_manager(std::string_view name) {
  constexpr std::array<std::string_view, 4> words{"mig-parted-config", "mig-config", "mig-configs",
                                                  "mig-manager-config"};
  return std::ranges::any_of(words, [&](std::string_view each) { return has_words(name, each); });
}

[[nodiscard]] bool is_of_flyte(std::string_view name, Node labels) {
  return holds(name, "flyte") || labels.get("app.kubernetes.io/name").text().starts_with("flyte") ||
         labels.get("helm.sh/chart").text().starts_with("flyte-");
}

/// The place of an alias: for a merge key, the mapping that it is merged into.
[[nodiscard]] Node place_of(Node alias) {
  const Node holder = alias.parent().is_sequence() ? alias.parent() : alias;
  return holder.key().text() == "<<" ? holder.parent() : alias;
}

}  // namespace

ConfigMapUse use_of_config_map(Node object) {
  const std::string_view kind = object.get("kind").text();
  if (kind != "ConfigMap" && kind != "Secret") return ConfigMapUse::unknown;
  const Node metadata = object.get("metadata");
  const Node labels = metadata.get("labels");
  const Node name = metadata.get("name");
  if (name.is_opaque()) return ConfigMapUse::unknown;
  if (is_of_flyte(name.text(), labels)) return ConfigMapUse::flyte;
  if (kind != "ConfigMap") return ConfigMapUse::unknown;
  if (is_of_mig_manager(name.text())) return ConfigMapUse::mig_manager;
  const std::string_view application = labels.get("app.kubernetes.io/name").text();
  return is_of_device_plugin(name.text(), application) ? ConfigMapUse::device_plugin
                                                       : ConfigMapUse::unknown;
}

bool is_configuration_of(ConfigMapUse use, std::string_view key) {
  const std::size_t dot = key.rfind('.');
  const bool is_yaml = key.ends_with(".yaml") || key.ends_with(".yml");
  switch (use) {
    case ConfigMapUse::device_plugin:  // any key: its name is the configuration's
      return is_yaml || dot == std::string_view::npos;
    case ConfigMapUse::mig_manager:
      return key == "config.yaml";
    case ConfigMapUse::flyte:
      return is_yaml;
    case ConfigMapUse::unknown:
      break;
  }
  return false;
}

ConfigMapUse use_of_host(const Document& document) {
  if (document.host == nullptr) return ConfigMapUse::unknown;
  const auto entry = data_entry(Node(*document.host, document.host_node));
  if (!entry) return ConfigMapUse::unknown;
  const ConfigMapUse use = use_of_config_map(entry->object);
  return is_configuration_of(use, entry->key) ? use : ConfigMapUse::unknown;
}

Node used_under(Node mapping, std::initializer_list<std::string_view> keys) {
  const auto is_meant = [&](Node place) {
    return std::ranges::find(keys, place.key().text()) != keys.end();
  };
  if (is_meant(mapping)) return mapping;
  for (const Node alias : mapping.aliases()) {
    if (const Node place = place_of(alias); is_meant(place)) return place;
  }
  return {};
}

std::optional<DataEntry> data_entry(Node text) {
  const auto entry_at = [](Node place) -> std::optional<DataEntry> {
    if (!place.key()) return std::nullopt;
    const Node data = used_under(place.parent(), {"data", "stringData"});
    if (!data) return std::nullopt;
    return DataEntry{data.parent(), data.key().text(), place.key().text()};
  };
  if (const auto entry = entry_at(text)) return entry;
  for (const Node alias : text.aliases()) {
    if (const auto entry = entry_at(alias)) return entry;
  }
  return std::nullopt;
}

bool is_encoded_entry(Node text) {
  if (!text.is_scalar()) return false;
  const auto entry = data_entry(text);
  return entry && entry->part == "data" && entry->object.get("kind").text() == "Secret";
}

bool is_encoded(const Document& document) {
  return document.host != nullptr && is_encoded_entry(Node(*document.host, document.host_node));
}

}  // namespace gpulint
