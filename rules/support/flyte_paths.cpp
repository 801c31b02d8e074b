#include "rules/support/flyte_paths.h"

#include <algorithm>
#include <array>

#include "compiler/base/text.h"

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

}  // namespace

flyte::FlyteDocument recognize_values(const Document& document, FlyteChart chart) {
  using Kind = flyte::DocumentKind;
  const Node top = root(document);
  flyte::FlyteDocument known = flyte::recognize(document);
  if (known.kind == Kind::none && flyte::is_flyte_config(top.get("configuration"))) {
    known = {Kind::binary_values, top};
  }
  if (known.kind == Kind::none && flyte::is_flyte_config(top)) known = {Kind::config, top};
  if (known.kind == Kind::core_values && are_of_binary(known.root)) {
    known.kind = Kind::binary_values;
  }
  if (known.kind == Kind::none || document.host != nullptr) return known;
  if (chart == FlyteChart::core) known.kind = Kind::core_values;
  if (chart == FlyteChart::binary) known.kind = Kind::binary_values;
  return known;
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

}  // namespace gpulint::rules
