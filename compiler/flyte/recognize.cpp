#include <algorithm>
#include <array>
#include <string_view>

#include "compiler/base/text.h"
#include "compiler/flyte/loaded_release.h"

namespace gpulint::flyte {
namespace {

[[nodiscard]] bool has_any(Node mapping, std::initializer_list<std::string_view> keys) {
  return std::ranges::any_of(keys, [&](std::string_view key) { return bool(mapping.get(key)); });
}

/// Something that is Flyte's beyond doubt: `plugins.k8s` or `task_resources`.
[[nodiscard]] bool is_config(Node root) {
  const Node plugins = root.get_folded("plugins");
  if (plugins.is_mapping() && plugins.get_folded("k8s")) return true;
  if (root.get_folded("plugins.k8s") || root.get_folded("task_resources").is_mapping()) {
    return true;
  }
  const std::vector<Node> items = plugins.items();
  return std::ranges::any_of(items, [](Node item) { return bool(item.get_folded("k8s")); });
}

[[nodiscard]] bool is_core_values(Node root) {
  const Node config = root.get("configmap");
  if (config.is_mapping() &&
      has_any(config, {"k8s", "copilot", "task_resource_defaults", "enabled_plugins", "task_logs",
                       "resource_manager", "adminServer", "core", "catalog"})) {
    return true;
  }
  return root.get("flytepropeller").is_mapping() || root.get("flyteadmin").is_mapping();
}

[[nodiscard]] bool is_binary_values(Node root) {
  if (root.get("flyte-core-components")) return true;
  const Node inline_config = root.at("configuration", "inline");
  if (inline_config.is_mapping() &&
      has_any(inline_config, {"plugins", "task_resources", "propeller", "tasks", "storage",
                              "cluster_resources", "logger", "admin"})) {
    return true;
  }
  const Node config = root.get("configuration");
  return config.is_mapping() && has_any(config, {"co-pilot", "inlineConfigMap"});
}

[[nodiscard]] DocumentKind kind_of(Node root) {
  if (!root.is_mapping()) return DocumentKind::none;
  if (root.get("apiVersion") && root.get("kind")) return DocumentKind::none;
  if (is_core_values(root)) return DocumentKind::core_values;
  if (is_binary_values(root)) return DocumentKind::binary_values;
  return is_config(root) ? DocumentKind::config : DocumentKind::none;
}

[[nodiscard]] bool is_tag_of_version2(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  return text.find("flyte-binary-v2") != std::string_view::npos ||
         (text.find("flyteorg/flyte") != std::string_view::npos &&
          colon != std::string_view::npos && text.substr(colon + 1).starts_with("v2"));
}

[[nodiscard]] bool is_tag_of_version1(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (text.find("flyteorg/") == std::string_view::npos || colon == std::string_view::npos) {
    return false;
  }
  return text.substr(colon + 1).starts_with("v1.");
}

constexpr std::array version2_keys{"accelerator-devices", "accelerator-device-classes",
                                   "disable-inject-owner-references", "_U_EP_OVERRIDE"};
constexpr std::array version1_keys{"enable-distributed-error-aggregation", "datacatalog",
                                   "flytepropeller", "flyteadmin"};

template <std::size_t N>
[[nodiscard]] bool is_listed(const std::array<const char*, N>& keys, std::string_view text) {
  return std::ranges::any_of(keys, [&](std::string_view key) { return equal_fold(key, text); });
}

}  // namespace

FlyteDocument recognize(const Document& document) {
  const Node top = root(document);
  if (document.host != nullptr) return {};
  if (const DocumentKind kind = kind_of(top); kind != DocumentKind::none) return {kind, top};
  if (!top.is_mapping() || (top.get("apiVersion") && top.get("kind"))) return {};
  for (const Node::Entry& entry : top.fields()) {
    const DocumentKind kind = kind_of(entry.value);
    if (kind == DocumentKind::core_values || kind == DocumentKind::binary_values) {
      return {kind, entry.value};
    }
  }
  return {};
}

FlyteVersion detect_version(std::span<const Document* const> documents) {
  bool is_v1 = false;
  for (const Document* document : documents) {
    for (NodeIndex at = 0; at < document->nodes.size(); ++at) {
      const Node node(*document, at);
      if (!node.is_scalar()) continue;
      const std::string_view text = node.text();
      const bool is_key = node.parent().is_mapping() && !node.key();
      if (is_tag_of_version2(text) || (is_key && is_listed(version2_keys, text))) {
        return FlyteVersion::v2;
      }
      is_v1 = is_v1 || is_tag_of_version1(text) || (is_key && is_listed(version1_keys, text));
    }
  }
  return is_v1 ? FlyteVersion::v1 : FlyteVersion::unknown;
}

}  // namespace gpulint::flyte
