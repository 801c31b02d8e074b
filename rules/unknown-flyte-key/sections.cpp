#include "rules/unknown-flyte-key/sections.h"

#include <algorithm>
#include <vector>

#include "compiler/base/text.h"
#include "compiler/flyte/flyte_config.h"
#include "rules/support/flyte_queries.h"

namespace gpulint::rules::unknown_flyte_key {
namespace {

constexpr std::string_view plugins = "plugins.";

/// Where a section belongs that is on the wrong side of `plugins`; empty for other keys.
[[nodiscard]] std::string_view place_of_section(const flyte::UnknownKey& unknown) {
  const auto is_listed = [&](std::span<const std::string_view> names) {
    return std::ranges::find(names, to_lower(unknown.key)) != names.end();
  };
  const bool is_at_root = unknown.path == unknown.key;
  if (is_at_root && is_listed(flyte::plugin_section_names())) return "under `plugins`";
  const bool is_plugin = unknown.path.size() == plugins.size() + unknown.key.size();
  return !is_at_root && is_plugin && is_listed(flyte::root_section_names()) ? "to the root" : "";
}

}  // namespace

std::span<const std::string_view> section_names(const flyte::UnknownKey& unknown) {
  return unknown.path.starts_with(plugins) ? flyte::plugin_section_names()
                                           : flyte::root_section_names();
}

bool holds_gpu_keys(Node value) {
  return any_below(value, [](Node inner) { return is_flyte_gpu_key(inner.key().text()); });
}

bool is_told_as_misplaced(const flyte::UnknownKey& unknown) {
  const auto is_plugin_key = [](Node inner) { return is_flyte_plugin_key(inner.key().text()); };
  if (is_flyte_plugin_key(unknown.key) || holds_gpu_keys(unknown.value)) return true;
  if (!unknown.path.starts_with(plugins)) return false;
  const std::vector<Node> below =
      unknown.value.is_mapping() ? unknown.value.children() : std::vector<Node>{};
  return std::ranges::any_of(below, is_plugin_key) ||
         (unknown.key == "plugins" && any_below(unknown.value, is_plugin_key));
}

void check_section(Reporter& reporter, const flyte::UnknownKey& unknown,
                   std::optional<std::string_view> suggestion, bool is_whole) {
  const bool is_of_admin = unknown.path.starts_with("task_resources.");
  const std::string_view place = place_of_section(unknown);
  if ((!is_whole || is_of_admin) && !suggestion && place.empty()) return;
  Finding finding =
      reporter.report(unknown.key_node, "Flyte ignores the unknown key `{}`", unknown.path);
  if (!place.empty()) {
    finding.help("move `{}` {}", unknown.key, place);
  } else if (suggestion) {
    finding.help("did you mean `{}`?", *suggestion);
  } else if (unknown.key.find('.') != std::string::npos) {
    finding.help("Flyte reads a key with dots as one key; write nested keys");
  } else {
    finding.help("no section of Flyte's configuration has this name or a similar one");
  }
}

}  // namespace gpulint::rules::unknown_flyte_key
