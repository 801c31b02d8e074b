#include "rules/gpu-visible-devices-bypass/visible_devices.h"

#include <algorithm>
#include <charconv>

#include "compiler/base/text.h"

namespace gpulint::rules::gpu_visible_devices_bypass {

bool makes_visible(std::string_view value) {
  return !value.empty() && value != "void" && value != "none";
}

std::optional<std::vector<std::int64_t>> read_indices(std::string_view list) {
  std::vector<std::int64_t> indices;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t comma = std::min(list.find(',', begin), list.size());
    const std::string_view item = trim(list.substr(begin, comma - begin));
    std::int64_t index = -1;
    const auto [end, error] = std::from_chars(item.data(), item.data() + item.size(), index);
    if (error != std::errc{} || end != item.data() + item.size() || index < 0) return std::nullopt;
    indices.push_back(index);
    begin = comma + 1;
  }
  return indices;
}

std::vector<FlyteVariable> flyte_variables(const flyte::K8sPluginConfig& config) {
  constexpr std::string_view from_environment = "default-env-vars-from-env";
  std::vector<FlyteVariable> variables;
  for (const std::string_view setting : {std::string_view("default-env-vars"), from_environment}) {
    const flyte::ConfigValue* const found = config.tree.find(setting);
    if (found == nullptr) continue;
    for (const flyte::ConfigEntry& entry : found->entries) {
      if (!entry.key_node || entry.value.opaque) continue;
      const std::string_view sign = setting == from_environment ? "$" : "";
      variables.push_back({entry.key_node, entry.key, std::string(sign) + entry.value.text});
    }
  }
  return variables;
}

}  // namespace gpulint::rules::gpu_visible_devices_bypass
