#include "compiler/ir/config_map.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "compiler/base/text.h"

namespace gpulint {
namespace {

[[nodiscard]] bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// Whether the parts of a name between `-` and `.` hold these words, one after the other.
[[nodiscard]] bool has_words(std::string_view name, std::string_view words) {
  std::string spaced = "-" + std::string(name) + "-";
  std::ranges::replace(spaced, '.', '-');
  return holds(spaced, "-" + std::string(words) + "-");
}

[[nodiscard]] bool is_of_device_plugin(std::string_view name, std::string_view application) {
  if (application == "nvidia-device-plugin") return true;
  // Other vendors have device plugins, too; only NVIDIA's shares GPUs by time slices.
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
  const Node text(*document.host, document.host_node);
  const Node data = text.parent();
  if (data.key().text() != "data" && data.key().text() != "stringData") {
    return ConfigMapUse::unknown;
  }
  const ConfigMapUse use = use_of_config_map(data.parent());
  return is_configuration_of(use, text.key().text()) ? use : ConfigMapUse::unknown;
}

}  // namespace gpulint
