#include "compiler/model/flyte_document.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "compiler/base/text.h"
#include "compiler/ir/config_map.h"
#include "compiler/model/flyte_key_catalog.h"
#include "compiler/model/pools/terraform.h"

namespace gpulint::flyte {
namespace {

[[nodiscard]] bool has_any(Node mapping, std::initializer_list<std::string_view> keys) {
  return std::ranges::any_of(keys, [&](std::string_view key) { return bool(mapping.get(key)); });
}

/// Whether a key of `plugins.k8s` is meant: known, or near a known one.
[[nodiscard]] bool is_plugin_key(std::string_view key) {
  static const std::vector<std::string_view> known = [] {
    std::vector<std::string_view> keys;
    for (const FlytePluginKey& each : flyte_plugin_keys()) keys.push_back(each.key);
    return keys;
  }();
  return nearest(key, known).has_value();
}

/// The value of `plugins.k8s`: it holds nothing, something unknown, or keys of Flyte's.
[[nodiscard]] bool is_plugin_section(Node section) {
  if (!section.is_mapping()) return bool(section);
  const std::vector<Node::Entry> fields = section.fields();
  return fields.empty() || std::ranges::any_of(fields, [](const Node::Entry& entry) {
           return entry.key.is_opaque() || is_plugin_key(entry.key.text());
         });
}

/// Sections of Flyte's configuration that no other program has beside `plugins`.
[[nodiscard]] bool has_flyte_section(Node root) {
  return has_any(root, {"propeller", "task_resources", "flyteadmin", "catalog-cache",
                        "cluster_resources", "flyte"}) ||
         root.at("tasks", "task-plugins");
}

[[nodiscard]] bool are_task_resources(Node section) {
  constexpr std::array<std::string_view, 2> parts{"defaults", "limits"};
  return std::ranges::any_of(section.fields(), [&](const Node::Entry& entry) {
    return entry.value.is_mapping() && nearest(entry.key.text(), parts);
  });
}

/// A component of flyte-core's values. A service of that name in another file (Docker Compose) has
/// its image as text; the section of that name in flyteadmin's own configuration has keys that the
/// chart sets below `configmap.adminServer` (flyteadmin/pkg/config of Flyte v1.16).
[[nodiscard]] bool is_component(Node component) {
  return component.is_mapping() && !component.get("image").is_scalar() &&
         !has_any(component, {"container_name", "roleNameKey", "profilerPort", "metricsScope",
                              "metadataStoragePrefix", "eventVersion"});
}

[[nodiscard]] bool is_core_values(Node root) {
  const Node config = root.get("configmap");
  if (config.is_mapping()) {
    if (has_any(config, {"copilot", "task_resource_defaults", "enabled_plugins", "task_logs",
                         "resource_manager", "adminServer"})) {
      return true;
    }
    if (config.at("k8s", "plugins") || config.at("core", "propeller")) return true;
    if (config.at("catalog", "catalog-cache")) return true;
  }
  return is_component(root.get("flytepropeller")) || is_component(root.get("flyteadmin"));
}

[[nodiscard]] bool is_binary_values(Node root) {
  if (root.get("flyte-core-components")) return true;
  const Node config = root.get("configuration");
  if (has_any(config, {"co-pilot", "inlineConfigMap"})) return true;
  const Node inline_config = config.get("inline");
  if (!inline_config.is_mapping()) return false;
  const Node plugins = inline_config.get_folded("plugins");
  return has_flyte_section(inline_config) || plugins.get_folded("k8s") ||
         inline_config.get_folded("plugins.k8s") ||
         has_any(inline_config, {"tasks", "storage", "logger", "admin"}) || plugins;
}

[[nodiscard]] bool is_kubernetes_object(Node root) {
  return root.get("apiVersion") && root.get("kind");
}

[[nodiscard]] DocumentKind kind_of_values(Node root) {
  if (!root.is_mapping() || is_kubernetes_object(root)) return DocumentKind::none;
  if (is_core_values(root)) return DocumentKind::core_values;
  if (is_binary_values(root)) return DocumentKind::binary_values;
  return is_flyte_config(root) ? DocumentKind::config : DocumentKind::none;
}

}  // namespace

FlyteDocument recognize(const Document& document) {
  const Node top = root(document);
  if (document.host != nullptr || is_terraform(top)) return {};
  if (const DocumentKind kind = kind_of_values(top); kind != DocumentKind::none) return {kind, top};
  if (!top.is_mapping() || is_kubernetes_object(top)) return {};
  for (const Node::Entry& entry : top.fields()) {
    const DocumentKind kind = kind_of_values(entry.value);
    if (kind == DocumentKind::core_values || kind == DocumentKind::binary_values) {
      return {kind, entry.value};
    }
  }
  return {};
}

bool is_flyte_config(Node root) {
  if (are_task_resources(root.get_folded("task_resources"))) return true;
  const Node plugins = root.get_folded("plugins");
  const auto is_section = [&](Node section) {
    return section && (is_plugin_section(section) || has_flyte_section(root));
  };
  if (is_section(plugins.get_folded("k8s")) || is_section(root.get_folded("plugins.k8s"))) {
    return true;
  }
  return std::ranges::any_of(plugins.items(),
                             [&](Node item) { return is_section(item.get_folded("k8s")); });
}

bool is_mounted_flyte_config(const Document& document) {
  if (document.host == nullptr) return false;
  return use_of_host(document) == ConfigMapUse::flyte || is_flyte_config(root(document));
}

}  // namespace gpulint::flyte
