#include <algorithm>
#include <string_view>
#include <vector>

#include "compiler/base/text.h"
#include "compiler/model/device_plugin_config.h"

namespace gpulint {
namespace {

/// `imex` with channels, `resources` with patterns of GPUs.
[[nodiscard]] bool is_group_of_devices(const Node::Entry& entry) {
  const Node value = entry.value;
  if (equal_fold(entry.key.text(), "imex")) return value.get("channelIDs") || value.get("required");
  if (!equal_fold(entry.key.text(), "resources")) return false;
  const auto has_pattern = [&](std::string_view list) {
    const std::vector<Node> items = value.get(list).items();
    return std::ranges::any_of(items, [](Node item) { return bool(item.get("pattern")); });
  };
  return has_pattern("gpus") || has_pattern("mig");
}

}  // namespace

bool looks_like_device_plugin_config(Node root) {
  // Keys that nobody else has, at the place where they belong or one level off. Directly at the top
  // they are also values of Helm charts, which have no `version`.
  const auto is_typical = [](std::string_view key) {
    constexpr std::string_view typical[] = {
        "timeSlicing",        "time-slicing",    "migStrategy",     "mps",
        "deviceListStrategy", "renameByDefault", "failOnInitError", "deviceDiscoveryStrategy",
        "deviceIDStrategy",   "mpsRoot",         "nvidiaDevRoot",   "nvidiaDriverRoot",
        "useNodeFeatureAPI",  "nvidiaCTKPath"};
    return std::ranges::any_of(typical,
                               [&](std::string_view name) { return equal_fold(name, key); });
  };
  const bool has_version = static_cast<bool>(root.get("version"));
  for (const Node::Entry& entry : root.fields()) {
    const std::string_view key = entry.key.text();
    if (has_version && is_typical(key)) return true;
    if (has_version && is_group_of_devices(entry)) return true;
    if (!equal_fold(key, "sharing") && !equal_fold(key, "flags")) continue;
    for (const Node::Entry& inner : entry.value.fields()) {
      const std::string_view inner_key = inner.key.text();
      const bool is_group = equal_fold(inner_key, "plugin") || equal_fold(inner_key, "gfd");
      if (is_typical(inner_key) || (is_group && has_version)) return true;
    }
  }
  return false;
}

}  // namespace gpulint
