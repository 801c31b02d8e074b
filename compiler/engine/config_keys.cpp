#include "compiler/engine/config_keys.h"

#include <algorithm>

namespace gpulint {
namespace {

#include "tables/config_keys.inc"

}  // namespace

std::span<const ConfigKey> config_keys() { return config_key_table; }

std::vector<std::string_view> config_key_names(std::string_view section) {
  std::vector<std::string_view> names;
  for (const ConfigKey& key : config_key_table) {
    if (key.section == section) names.push_back(key.name);
  }
  return names;
}

const ConfigKey* find_config_key(std::string_view section, std::string_view name) {
  const auto* const found = std::ranges::find_if(config_key_table, [&](const ConfigKey& key) {
    return key.section == section && key.name == name;
  });
  return found == std::end(config_key_table) ? nullptr : found;
}

}  // namespace gpulint
