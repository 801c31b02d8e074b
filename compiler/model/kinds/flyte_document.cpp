#include "compiler/model/kinds/flyte_document.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/base/text.h"
#include "compiler/model/facts/flyte_key_catalog.h"
#include "compiler/model/gitops/config_map.h"
#include "compiler/model/gitops/helm_values_source.h"
#include "compiler/model/pools/terraform.h"

namespace gpulint::flyte {
namespace {

[[nodiscard]] bool has_any(Node mapping, std::initializer_list<std::string_view> keys) {
  return std::ranges::any_of(keys, [&](std::string_view key) { return bool(mapping.get(key)); });
}

/// Whether a word is a key of `plugins.k8s`, or close to one.
[[nodiscard]] bool is_plugin_key(std::string_view key) {
  static const std::vector<std::string_view> known = [] {
    std::vector<std::string_view> keys;
    for (const FlytePluginKey& each : flyte_plugin_keys()) keys.push_back(each.key);
    return keys;
  }();
  return nearest(key, known).has_value();
}

/// The value of `plugins.k8s`: empty, opaque, or with Flyte's keys.
[[nodiscard]] bool is_plugin_section(Node section) {
  if (!section.is_mapping()) return bool(section);
  const std::vector<Node::Entry> fields = section.fields();
  return fields.empty() || std::ranges::any_of(fields, [](const Node::Entry& entry) {
           return entry.key.is_opaque() || is_plugin_key(entry.key.text());
         });
}

/// Sections of Flyte's configuration that no other program has next to `plugins`.
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

/// A component of flyte-core's values. A service with that name in another file (Docker Compose)
/// has its image as text; the section with that name in flyteadmin's own configuration has keys
/// that the chart sets below `configmap.adminServer` (flyteadmin/pkg/config of Flyte v1.16).
[[nodiscard]] bool is_component(Node component) {
  return component.is_mapping() && !component.get("image").is_scalar() &&
         !has_any(component, {"container_name", "roleNameKey", "profilerPort", "metricsScope",
                              "metadataStoragePrefix", "eventVersion"});
}

/// Keys of `plugins.k8s` without the sections around them, about GPUs or in Flyte's own words.
[[nodiscard]] bool has_flattened_plugin_keys(Node section) {
  return std::ranges::any_of(section.fields(), [](const Node::Entry& entry) {
    const std::string_view key = entry.key.text();
    return find_flyte_plugin_key(key) != nullptr &&
           (key.starts_with("gpu-") || key.starts_with("accelerator-") ||
            key == "resource-tolerations");
  });
}

[[nodiscard]] bool has_core_config(Node root) {
  const Node config = root.get("configmap");
  return has_any(config, {"copilot", "task_resource_defaults", "enabled_plugins", "task_logs",
                          "resource_manager", "adminServer"}) ||
         config.at("k8s", "plugins") || config.at("core", "propeller") ||
         config.at("catalog", "catalog-cache") || has_flattened_plugin_keys(config.get("k8s"));
}

[[nodiscard]] bool is_core_values(Node root) {
  return has_core_config(root) || is_component(root.get("flytepropeller")) ||
         is_component(root.get("flyteadmin"));
}

[[nodiscard]] bool is_binary_values(Node root) {
  if (root.get("flyte-core-components")) return true;
  const Node config = root.get("configuration");
  if (has_any(config, {"co-pilot", "inlineConfigMap"})) return true;
  const Node inline_config = config.get("inline");
  if (has_flattened_plugin_keys(config.get("k8s"))) return true;
  if (!inline_config.is_mapping()) return false;
  if (has_flattened_plugin_keys(inline_config) ||
      has_flattened_plugin_keys(inline_config.get("k8s"))) {
    return true;
  }
  // the other keys of the chart's `configuration`
  if (has_any(config, {"database"}) && has_any(config, {"storage"})) return true;
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

[[nodiscard]] bool are_values(DocumentKind kind) {
  return kind == DocumentKind::core_values || kind == DocumentKind::binary_values;
}

[[nodiscard]] DocumentKind kind_of_chart(std::string_view name) {
  const FlyteChart chart = chart_named(name);
  return chart == FlyteChart::unknown ? DocumentKind::none : kind_of(chart);
}

/// Values of a subchart below, where a component's name alone (`flyteadmin`) is not evidence.
[[nodiscard]] DocumentKind kind_of_inner_values(Node values) {
  if (!values.is_mapping() || is_kubernetes_object(values)) return DocumentKind::none;
  if (is_binary_values(values)) return DocumentKind::binary_values;
  return has_core_config(values) ? DocumentKind::core_values : DocumentKind::none;
}

/// Values below parent charts' keys, outermost first, found by keys that are certain evidence.
[[nodiscard]] std::vector<FlyteDocument> find_inner_values(Node top) {
  constexpr std::array<std::string_view, 3> marks{"configuration", "configmap",
                                                  "flyte-core-components"};
  std::vector<FlyteDocument> found;
  Node judged;
  walk(top, [&](Node node) {
    if (!node.key() || std::ranges::find(marks, node.key().text()) == marks.end()) return;
    const Node values = node.parent();
    if (values == std::exchange(judged, values)) return;
    if (!found.empty() && found.back().root.span().contains(values.span())) return;
    const DocumentKind kind = kind_of_inner_values(values);
    if (kind != DocumentKind::none) found.push_back({kind, values, top, {}});
  });
  return found;
}

/// Union's data plane has Flyte's configuration files below `config`. Its chart sets more of them.
[[nodiscard]] std::vector<FlyteDocument> find_in_data_plane(Node top) {
  const Node file = top.at("config", "k8s");
  if (!file.get("plugins") || !is_flyte_config(file)) return {};
  return {{DocumentKind::config, file, top, {}}};
}

/// Values of Flyte among those of parent charts.
[[nodiscard]] std::vector<FlyteDocument> find_subcharts(Node top) {
  if (!top.is_mapping() || is_kubernetes_object(top)) return {};
  std::vector<FlyteDocument> found;
  for (const Node::Entry& entry : top.fields()) {
    const DocumentKind kind = kind_of_values(entry.value);
    if (are_values(kind)) found.push_back({kind, entry.value, top, {}});
  }
  return found.empty() ? find_inner_values(top) : found;
}

/// In values inside a file of another kind.
[[nodiscard]] std::vector<FlyteDocument> find_in_place(const HelmValuesSource& place, Node values) {
  std::vector<FlyteDocument> found;
  const DocumentKind of_content = kind_of_values(values);
  DocumentKind kind = kind_of_chart(named_chart(place));
  // other files may set everything that this one does not, so the chart's defaults prove nothing
  const bool is_silent = place.has_more && of_content == DocumentKind::none;
  if (kind == DocumentKind::none || is_silent) kind = of_content;
  if (are_values(kind)) {
    found.push_back({kind, values, values, {}});
  } else {
    found = find_subcharts(values);
  }
  for (FlyteDocument& each : found) each.release = place.release;
  return found;
}

[[nodiscard]] std::vector<FlyteDocument> find_in_text(const Document& document) {
  const auto place = helm_values_source(Node(*document.host, document.host_node));
  const bool is_read = place && document.index == 0 && root(document).is_mapping();
  return is_read ? find_in_place(*place, root(document)) : std::vector<FlyteDocument>{};
}

}  // namespace

DocumentKind kind_of(FlyteChart chart) {
  switch (chart) {
    case FlyteChart::core:
      return DocumentKind::core_values;
    case FlyteChart::binary:
      return DocumentKind::binary_values;
    case FlyteChart::unknown:
      break;
  }
  return DocumentKind::config;
}

FlyteChart chart_of(DocumentKind kind) {
  if (kind == DocumentKind::core_values) return FlyteChart::core;
  return kind == DocumentKind::binary_values ? FlyteChart::binary : FlyteChart::unknown;
}

std::string_view chart_name(FlyteChart chart) {
  switch (chart) {
    case FlyteChart::core:
      return "flyte-core";
    case FlyteChart::binary:
      return "flyte-binary";
    case FlyteChart::unknown:
      break;
  }
  return {};
}

FlyteChart chart_named(std::string_view name) {
  for (const FlyteChart chart : {FlyteChart::core, FlyteChart::binary}) {
    if (name == chart_name(chart)) return chart;
  }
  return FlyteChart::unknown;
}

std::vector<FlyteDocument> find_flyte(const Document& document) {
  const Node top = root(document);
  if (document.host != nullptr) return find_in_text(document);
  if (is_terraform(top)) return {};
  std::vector<FlyteDocument> found;
  const std::vector<HelmValuesSource> places = find_helm_values_sources(top);
  for (const HelmValuesSource& place : places) {
    std::ranges::move(find_in_place(place, place.values.resolved()), std::back_inserter(found));
  }
  if (!places.empty()) return found;
  if (const DocumentKind kind = kind_of_values(top); kind != DocumentKind::none) {
    return {{kind, top, top, {}}};
  }
  found = find_subcharts(top);
  return found.empty() ? find_in_data_plane(top) : found;
}

FlyteDocument recognize(const Document& document) {
  const std::vector<FlyteDocument> found = find_flyte(document);
  return found.empty() ? FlyteDocument{} : found.front();
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
  if (document.host == nullptr || recognize(document).kind != DocumentKind::none) return false;
  return use_of_host(document) == ConfigMapUse::flyte || is_flyte_config(root(document));
}

}  // namespace gpulint::flyte
