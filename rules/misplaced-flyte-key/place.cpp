#include "rules/misplaced-flyte-key/place.h"

#include <algorithm>
#include <set>

#include "rules/support/flyte_queries.h"

namespace gpulint::rules::misplaced_flyte_key {

bool is_in_order(const PluginReader& reader, const Place& place, std::string_view key) {
  const auto& keys = place.keys;
  const bool is_below_path = std::ranges::any_of(
      keys, [](std::string_view k) { return has_dot(k) && is_flyte_plugin_key(k); });
  if (is_below_path) return true;  // told at that key
  const bool is_gpu_key = is_flyte_gpu_key(key);
  if (place.is_below) {
    if (keys.size() == place.depth) return !has_dot(key);
    return !is_gpu_key || keys[place.depth].starts_with("default-");
  }
  // Of flyte-binary's own values, and of another chart's that is like flyte-core.
  if (key == "co-pilot" && keys.size() == 1 && keys.front() == "configuration") return true;
  std::size_t length = 0;
  if (begins_with(keys, "config.*.plugins.k8s", length)) return true;
  return !is_gpu_key && !is_near_plugins(keys, reader.path);
}

std::vector<Node> misplaced_block(const Place& place, Node misplaced) {
  std::vector<Node> block;
  std::set<std::string_view> names;
  for (const Node::Entry& entry : misplaced.parent().entries()) {
    const std::string_view name = entry.key.text();
    const bool is_of_chart = name == "co-pilot" && place.keys.size() < 2;
    const bool is_of_block =
        is_flyte_plugin_key(name) && !entry.key.is_opaque() && !has_dot(name) && !is_of_chart;
    const bool is_told = entry.value == misplaced || is_of_block;
    if (is_told && names.insert(name).second) block.push_back(entry.value);
  }
  return block;
}

}  // namespace gpulint::rules::misplaced_flyte_key
