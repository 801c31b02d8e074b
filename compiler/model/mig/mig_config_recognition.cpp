#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/text.h"
#include "compiler/model/gitops/config_map.h"
#include "compiler/model/mig/mig_config.h"

namespace gpulint {
namespace {

constexpr std::array<std::string_view, 1> known_section{"mig-configs"};
constexpr std::array<std::string_view, 2> known_fields{"version", "mig-configs"};

[[nodiscard]] bool is_near(std::string_view key, std::span<const std::string_view> names) {
  return nearest(key, names).has_value();
}

/// Letters alone: `mig_configs`, `MIG-configs`, `migConfigs` are equal.
[[nodiscard]] bool is_section(std::string_view key) {
  std::string letters = to_lower(key);
  std::erase_if(letters, [](char c) { return !is_alphanumeric(c); });
  return letters == "migconfigs";
}

/// An entry of a layout has keys that nothing else has: `mig-enabled`, `mig-devices`, or `devices:
/// all`.
[[nodiscard]] bool is_layout_entry(Node item) {
  constexpr std::array<std::string_view, 2> fields{"mig-enabled", "mig-devices"};
  if (item.get("devices").text() == "all") return true;
  return std::ranges::any_of(
      item.fields(), [&](const Node::Entry& field) { return is_near(field.key.text(), fields); });
}

/// Layouts by name, each a list of entries.
[[nodiscard]] bool are_layouts(Node configs) {
  return std::ranges::any_of(configs.fields(), [](const Node::Entry& layout) {
    return std::ranges::any_of(layout.value.items(), is_layout_entry);
  });
}

/// Run:ai has another format in a node annotation with this name, and more in others.
[[nodiscard]] bool is_in_annotation(const Document& document) {
  return document.host != nullptr &&
         used_under(Node(*document.host, document.host_node).parent(), {"annotations"});
}

}  // namespace

bool looks_like_mig_config(Node root) {
  if (root.get("apiVersion") && root.get("kind")) return false;
  // without a version, a chart's values may contain the layouts that it writes into a ConfigMap
  const std::vector<Node::Entry> fields = root.fields();
  const bool is_whole = root.get("version") || std::ranges::all_of(fields, [](const auto& field) {
                          return is_near(field.key.text(), known_fields);
                        });
  return is_whole && std::ranges::any_of(fields, [](const Node::Entry& field) {
           const std::string_view key = field.key.text();
           return is_section(key) || (is_near(key, known_section) && are_layouts(field.value));
         });
}

bool is_mig_config(const Document& document) {
  const Node top = root(document);
  if (!top || is_in_annotation(document)) return false;
  if (use_of_host(document) != ConfigMapUse::mig_manager) return looks_like_mig_config(top);
  if (top.is_scalar()) return top.text().find_first_of(" \n") == std::string_view::npos;
  return !top.is_mapping() || std::ranges::any_of(top.fields(), [](const Node::Entry& field) {
    return is_near(field.key.text(), known_fields);
  });
}

}  // namespace gpulint
