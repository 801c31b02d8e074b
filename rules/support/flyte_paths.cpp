#include "rules/support/flyte_paths.h"

#include <algorithm>
#include <array>

#include "compiler/base/text.h"
#include "rules/support/flyte_queries.h"

namespace gpulint::rules {
namespace {

/// Values with keys of flyte-core that only flyte-binary can be meant by: they set what this chart
/// alone has, and no component of the other.
[[nodiscard]] bool are_of_binary(Node values) {
  static constexpr std::array<std::string_view, 5> components{
      "flytepropeller", "flyteadmin", "datacatalog", "flytescheduler", "flyteconsole"};
  static constexpr std::array<std::string_view, 9> own{
      "database",        "storage",           "auth",    "inline",  "inlineConfigMap",
      "inlineSecretRef", "externalConfigMap", "logging", "co-pilot"};
  const auto is_key_of = [](Node mapping) {
    return [mapping](std::string_view key) { return bool(mapping.get(key)); };
  };
  return std::ranges::none_of(components, is_key_of(values)) &&
         std::ranges::any_of(own, is_key_of(values.get("configuration")));
}

/// Keys that nobody but Flyte has, in a mapping `plugins` or in that of one plugin.
[[nodiscard]] bool speaks_of_flyte(Node plugins) {
  const auto has_own_key = [](Node mapping) {
    const std::vector<Node::Entry> entries = mapping.fields();
    return std::ranges::any_of(entries, [](const Node::Entry& entry) {
      const std::string_view key = entry.key.text();
      return (is_flyte_gpu_key(key) && !equal_fold(key, "default-tolerations")) ||
             (key.starts_with("k8s.") && is_flyte_plugin_key(key));
    });
  };
  const std::vector<Node> each = plugins.is_mapping() ? plugins.children() : std::vector<Node>{};
  return has_own_key(plugins) || std::ranges::any_of(each, has_own_key);
}

}  // namespace

std::vector<flyte::FlyteDocument> recognize_values(const Document& document, FlyteChart chart) {
  using Kind = flyte::DocumentKind;
  const Node top = root(document);
  std::vector<flyte::FlyteDocument> found = flyte::find_flyte(document);
  if (found.empty() && flyte::is_flyte_config(top.get("configuration"))) {
    found.push_back({Kind::binary_values, top, top, {}});
  }
  if (found.empty() && (flyte::is_flyte_config(top) || speaks_of_flyte(top.get("plugins")))) {
    found.push_back({Kind::config, top, top, {}});
  }
  for (flyte::FlyteDocument& known : found) {
    if (known.kind == Kind::core_values && are_of_binary(known.root)) {
      known.kind = Kind::binary_values;
    }
    const bool is_part = known.kind == Kind::config && known.root != top;
    if (document.host != nullptr || known.release || is_part) continue;
    if (chart == FlyteChart::core) known.kind = Kind::core_values;
    if (chart == FlyteChart::binary) known.kind = Kind::binary_values;
  }
  return found;
}

PluginReader plugin_reader(flyte::DocumentKind kind) {
  switch (kind) {
    case flyte::DocumentKind::core_values:
      return {"flyte-core", "configmap.*.plugins.k8s"};
    case flyte::DocumentKind::binary_values:
      return {"flyte-binary", "configuration.inline.plugins.k8s"};
    case flyte::DocumentKind::config:
      return {"Flyte", "plugins.k8s"};
    case flyte::DocumentKind::none:
      break;
  }
  return {};
}

std::string example_path(const PluginReader& reader) {
  std::string path(reader.path);
  if (const std::size_t star = path.find('*'); star != std::string::npos) {
    path.replace(star, 1, "k8s");
  }
  return path;
}

NewPlace find_plugin_section(const PluginReader& reader, Node root) {
  return place_at(root, example_path(reader));
}

std::vector<std::string_view> keys_between(Node root, Node node) {
  std::vector<std::string_view> keys;
  for (Node at = node; at && at != root; at = at.parent()) {
    if (at.key()) keys.push_back(at.key().text());
  }
  std::ranges::reverse(keys);
  return keys;
}

bool begins_with(const std::vector<std::string_view>& keys, std::string_view path,
                 std::size_t& length) {
  length = 0;
  while (!path.empty()) {
    const std::string_view part = take_part(path, '.');
    if (length == keys.size() || (part != "*" && !equal_fold(part, keys[length]))) return false;
    ++length;
  }
  return true;
}

bool is_near_plugins(const std::vector<std::string_view>& keys, std::string_view section) {
  if (keys.empty() || equal_fold(keys.back(), "plugins")) return true;
  if (keys.size() > 1 && equal_fold(keys[keys.size() - 2], "plugins")) return true;
  for (const std::string_view key : keys) {
    const std::string_view part = take_part(section, '.');
    if (part.empty() || (part != "*" && !equal_fold(part, key))) return false;
  }
  return true;
}

std::string_view consequence_of_repeated_keys(const Corpus& corpus, const Document& document) {
  using Kind = flyte::DocumentKind;
  const Node top = root(document);
  if (top.get("apiVersion").text().starts_with("eksctl.io/")) {
    return "eksctl refuses the whole file";
  }
  if (top.get("apiVersion") && top.get("kind"))
    return "kubectl and Helm silently keep the last one";
  const auto known = recognize_values(document, corpus.settings->flyte_chart);
  if (!known.empty() && known.front().kind == Kind::config) return "Flyte refuses to start";
  if (!known.empty()) return "Helm silently keeps the last one";
  return "many readers silently keep the last one, others refuse the file";
}

}  // namespace gpulint::rules
