#include "compiler/model/device_plugin/device_plugin_config.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include <re2/re2.h>

#include "compiler/base/text.h"
#include "compiler/model/gitops/config_map.h"

namespace gpulint {
namespace {

constexpr std::array<std::string_view, 5> section_names{"version", "flags", "resources", "sharing",
                                                        "imex"};

/// Keys that no other program has, in their place or one level off.
[[nodiscard]] bool is_typical(std::string_view key) {
  constexpr std::string_view typical[] = {
      "timeSlicing",        "time-slicing",    "migStrategy",     "mps",
      "deviceListStrategy", "renameByDefault", "failOnInitError", "deviceDiscoveryStrategy",
      "deviceIDStrategy",   "mpsRoot",         "nvidiaDevRoot",   "nvidiaDriverRoot",
      "useNodeFeatureAPI",  "nvidiaCTKPath"};
  return std::ranges::any_of(typical, [&](std::string_view name) { return equal_fold(name, key); });
}

/// A version as in configuration files, valid or not: `v1`, `1`, `v2`, `v1beta1`; not a release
/// such as `0.17.1`, which values of the plugin's chart may have next to its flags.
[[nodiscard]] bool is_file_version(Node version) {
  static const RE2 pattern(R"([vV]?[0-9]{0,3}((alpha|beta)[0-9]+)?)");
  if (!version) return false;
  if (version.is_null() || version.is_opaque()) return true;
  const std::string_view text = version.text();
  return version.is_scalar() && RE2::FullMatch(re2::StringPiece(text.data(), text.size()), pattern);
}

[[nodiscard]] bool has_item_with(Node list, std::string_view key) {
  const std::vector<Node> items = list.items();
  return std::ranges::any_of(items, [&](Node item) { return bool(item.get(key)); });
}

/// `imex` with channels, `resources` with patterns of GPUs.
[[nodiscard]] bool is_group_of_devices(const Node::Entry& entry) {
  const Node value = entry.value;
  if (equal_fold(entry.key.text(), "imex")) return value.get("channelIDs") || value.get("required");
  if (!equal_fold(entry.key.text(), "resources")) return false;
  return has_item_with(value.get("gpus"), "pattern") || has_item_with(value.get("mig"), "pattern");
}

/// A group of flags: `flags.plugin`, `flags.gfd`, with any key that belongs there.
[[nodiscard]] bool is_group_of_flags(const Node::Entry& entry) {
  const std::string_view key = entry.key.text();
  const bool is_plugin = equal_fold(key, "plugin");
  if (!is_plugin && !equal_fold(key, "gfd")) return false;
  if (entry.value.is_null() || (entry.value.is_mapping() && entry.value.size() == 0)) return true;
  const std::vector<std::string_view> known =
      device_plugin_keys(is_plugin ? "flags.plugin" : "flags.gfd");
  return std::ranges::any_of(entry.value.fields(), [&](const Node::Entry& flag) {
    return is_typical(flag.key.text()) || nearest(flag.key.text(), known);
  });
}

/// `sharing` with a strategy, by name or by the keys of a strategy: resources with replicas.
[[nodiscard]] bool has_strategy(Node sharing) {
  if (has_item_with(sharing.get("resources"), "replicas")) return true;
  return std::ranges::any_of(sharing.fields(), [](const Node::Entry& strategy) {
    return is_typical(strategy.key.text()) ||
           has_item_with(strategy.value.get("resources"), "replicas");
  });
}

[[nodiscard]] bool has_flags(Node flags, bool has_version) {
  return std::ranges::any_of(flags.fields(), [&](const Node::Entry& entry) {
    return is_typical(entry.key.text()) || (has_version && is_group_of_flags(entry));
  });
}

/// A file in a ConfigMap with the plugin's name. There may be other files: text of several words is
/// a script.
[[nodiscard]] bool is_configuration_by_name(Node root) {
  if (root.is_scalar()) return root.text().find_first_of(" \n") == std::string_view::npos;
  if (!root.is_mapping()) return true;
  return std::ranges::any_of(root.fields(), [](const Node::Entry& entry) {
    return nearest(entry.key.text(), section_names) || is_typical(entry.key.text());
  });
}

}  // namespace

bool looks_like_device_plugin_config(Node root) {
  const Node version = root.get("version");
  const bool has_version = is_file_version(version);
  for (const Node::Entry& entry : root.fields()) {
    const std::string_view key = entry.key.text();
    if (has_version && (is_typical(key) || is_group_of_devices(entry))) return true;
    if (equal_fold(key, "sharing") && has_strategy(entry.value)) return true;
    if (equal_fold(key, "flags") && has_flags(entry.value, has_version)) return true;
  }
  return false;
}

bool is_device_plugin_config(const Document& document) {
  const Node top = root(document);
  if (!top) return false;
  if (use_of_host(document) == ConfigMapUse::device_plugin) return is_configuration_by_name(top);
  // Values of charts have the same sections, without a version.
  const bool is_file = top.get("version") || (document.host != nullptr && top.get("sharing"));
  return is_file && looks_like_device_plugin_config(top);
}

std::vector<Node> device_plugin_config_roots(const std::vector<const Document*>& documents) {
  std::vector<Node> roots;
  for (const Document* document : documents) {
    if (!document->errors.empty()) continue;
    if (is_device_plugin_config(*document)) roots.push_back(root(*document));
  }
  return roots;
}

Node holder_of_config(Node config) {
  const Document& document = *config.document();
  return document.host == nullptr ? Node{} : Node(*document.host, document.host_node).parent();
}

bool has_unread_siblings(const std::vector<Node>& roots, Node root) {
  const Node data = holder_of_config(root);
  if (!data) return false;
  const auto read =
      std::ranges::count_if(roots, [&](Node other) { return holder_of_config(other) == data; });
  return data.size() > static_cast<std::size_t>(read);
}

}  // namespace gpulint
