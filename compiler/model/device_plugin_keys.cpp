#include "compiler/model/device_plugin_keys.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "compiler/base/text.h"

namespace gpulint::device_plugin {
namespace {

#include "tables/device_plugin.inc"

// The plugin's own list; GPU feature discovery has `vfio` too.
constexpr std::string_view device_discovery_strategy_values[] = {"auto", "nvml", "tegra"};

constexpr Key top_keys[] = {{.name = "version"}, {.name = "flags"}, {.name = "resources"},
                            {.name = "sharing"}, {.name = "imex"},  {.name = "health"}};

constexpr Key flags_keys[] = {
    {.name = "migStrategy", .type = ValueType::text, .values = mig_strategy_values},
    {.name = "failOnInitError", .type = ValueType::boolean},
    {.name = "mpsRoot", .type = ValueType::text},
    {.name = "nvidiaDriverRoot", .type = ValueType::text},
    {.name = "nvidiaDevRoot", .type = ValueType::text},
    {.name = "gdrcopyEnabled", .type = ValueType::boolean},
    {.name = "gdsEnabled", .type = ValueType::boolean},
    {.name = "mofedEnabled", .type = ValueType::boolean},
    {.name = "useNodeFeatureAPI", .type = ValueType::boolean},
    {.name = "deviceDiscoveryStrategy",
     .type = ValueType::text,
     .values = device_discovery_strategy_values},
    {.name = "plugin"},
    {.name = "gfd"}};

constexpr Key plugin_keys[] = {
    {.name = "passDeviceSpecs", .type = ValueType::boolean},
    {.name = "deviceListStrategy", .type = ValueType::texts, .values = device_list_strategy_values},
    {.name = "deviceIDStrategy", .type = ValueType::text, .values = device_id_strategy_values},
    {.name = "cdiAnnotationPrefix", .type = ValueType::text},
    {.name = "nvidiaCTKPath", .type = ValueType::text},
    {.name = "containerDriverRoot", .type = ValueType::text},
    {.name = "sharedDevicesAllocationPolicy",
     .type = ValueType::text,
     .values = shared_devices_allocation_policy_values}};

constexpr Key gfd_keys[] = {{.name = "oneshot", .type = ValueType::boolean},
                            {.name = "noTimestamp", .type = ValueType::boolean},
                            {.name = "sleepInterval", .type = ValueType::duration},
                            {.name = "outputFile", .type = ValueType::text},
                            {.name = "machineTypeFile", .type = ValueType::text}};

constexpr Key sharing_keys[] = {{.name = "timeSlicing"}, {.name = "mps"}};
constexpr Key strategy_keys[] = {{.name = "renameByDefault", .type = ValueType::boolean},
                                 {.name = "failRequestsGreaterThanOne", .type = ValueType::boolean},
                                 {.name = "resources"}};
constexpr Key item_keys[] = {
    {.name = "name"}, {.name = "rename"}, {.name = "devices"}, {.name = "replicas"}};
constexpr Key resources_keys[] = {{.name = "gpus"}, {.name = "mig"}};
constexpr Key imex_keys[] = {{.name = "channelIDs"},
                             {.name = "required", .type = ValueType::boolean}};

/// Equal but for letter case and separators.
[[nodiscard]] bool is_same_word(std::string_view a, std::string_view b) {
  const auto letters = [](std::string_view text) {
    std::string result = to_lower(text);
    std::erase_if(result, [](char c) { return c == '-' || c == '_' || c == '.'; });
    return result;
  };
  return letters(a) == letters(b);
}

[[nodiscard]] std::string join_path(std::string_view path, std::string_view key) {
  return path.empty() ? std::string(key) : std::string(path) + "." + std::string(key);
}

}  // namespace

constinit const Section top_section{.path = "", .keys = top_keys};
constinit const Section flags_section{.path = "flags", .keys = flags_keys};
constinit const Section plugin_section{.path = "flags.plugin", .keys = plugin_keys};
constinit const Section gfd_section{.path = "flags.gfd", .keys = gfd_keys};
constinit const Section sharing_section{.path = "sharing", .keys = sharing_keys};
constinit const Section strategy_section{
    .path = "sharing.timeSlicing", .keys = strategy_keys, .folds_case = false};
constinit const Section item_section{
    .path = "sharing.timeSlicing.resources[]", .keys = item_keys, .folds_case = false};
constinit const Section resources_section{.path = "resources", .keys = resources_keys};
constinit const Section imex_section{.path = "imex", .keys = imex_keys};

const Key* find_key(const Section& section, std::string_view word) {
  const auto exact = std::ranges::find(section.keys, word, &Key::name);
  if (exact != section.keys.end()) return &*exact;
  const auto folded = std::ranges::find_if(
      section.keys, [&](const Key& key) { return equal_fold(key.name, word); });
  return section.folds_case && folded != section.keys.end() ? &*folded : nullptr;
}

Guess guess_key(const Section& section, std::string_view word) {
  std::vector<std::string_view> names;
  for (const Key& key : section.keys) {
    if (is_same_word(key.name, word)) return {.meant = std::string(key.name)};
    names.push_back(key.name);
  }
  // Sharing first: `resources` inside `sharing` are those of a strategy.
  const std::array sections{&sharing_section, &strategy_section, &item_section,
                            &flags_section,   &plugin_section,   &gfd_section,
                            &top_section,     &imex_section,     &resources_section};
  for (const Section* other : sections) {
    for (const Key& key : other->keys) {
      if (other == &section || !is_same_word(key.name, word)) continue;
      return {.elsewhere = true, .meant = join_path(other->path, key.name)};
    }
  }
  return {.meant = std::string(nearest(word, names).value_or(""))};
}

}  // namespace gpulint::device_plugin
