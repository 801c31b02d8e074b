#include "rules/support/device_plugin.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/edit/edits.h"
#include "compiler/edit/move_entry.h"
#include "compiler/model/gitops/config_map.h"
#include "rules/support/indefinite_article.h"

namespace gpulint::rules {
std::vector<Value<std::string>> configuration_names(Node mapping) {
  std::vector<Value<std::string>> names;
  for (const Node::Entry& entry : mapping.fields()) {
    if (entry.key.is_opaque()) return {};
    names.push_back({std::string(entry.key.text()), entry.key});
  }
  return names;
}

std::vector<Value<std::string>> device_plugin_config_names(const Corpus& corpus) {
  const std::vector<Node> configs = device_plugin_config_roots(corpus.documents);
  std::vector<Value<std::string>> names;
  for (const KubernetesObject& object : corpus.objects) {
    if (!object.kind.equals("ConfigMap")) continue;
    const Node data = object.node.get("data");
    const bool is_of_plugin =
        use_of_config_map(object.node) == ConfigMapUse::device_plugin ||
        std::ranges::any_of(configs, [&](Node config) { return holder_of_config(config) == data; });
    if (!is_of_plugin) continue;
    const std::vector<Value<std::string>> keys = configuration_names(data);
    if (keys.empty()) return {};
    names.insert(names.end(), keys.begin(), keys.end());
  }
  return names;
}

DevicePluginCorrection correct(const SourceSet& sources, Node root,
                               const DevicePluginProblem& problem) {
  using Kind = DevicePluginProblem::Kind;
  const Node at = problem.node;
  const std::string& detail = problem.detail;
  const auto write = [&](const std::string& value) {
    return DevicePluginCorrection{fmt::format("write `{}`", value),
                                  replace_string(sources, at, value)};
  };
  if (problem.kind == Kind::unknown_version) {
    const bool is_number = at.is_scalar() && (at.text() == "1" || at.text() == "V1");
    return is_number ? write("v1") : DevicePluginCorrection{};
  }
  if (detail.empty()) return {};
  if (problem.kind == Kind::invalid_value) {
    return at.is_scalar() && !detail.starts_with('[') ? write(detail) : DevicePluginCorrection{};
  }
  if (!at.key()) return {};
  if (problem.kind == Kind::unknown_key) {
    return {fmt::format("rename to `{}`", detail), replace_string(sources, at.key(), detail)};
  }
  if (problem.kind != Kind::misplaced_key && problem.kind != Kind::zeroed_flag) return {};
  const std::size_t dot = detail.rfind('.');
  const std::string key = detail.substr(dot == std::string::npos ? 0 : dot + 1);
  if (dot == std::string::npos || key != at.key().text()) return {};
  return {fmt::format("move the key to `{}`", detail),
          move_entry(sources, at, place_at(root, std::string_view(detail).substr(0, dot)))};
}

bool is_misspelt(const DevicePluginConfig& config, const DevicePluginProblem& problem) {
  using Kind = DevicePluginProblem::Kind;
  return problem.kind == Kind::missing_field &&
         std::ranges::any_of(config.problems, [&](const DevicePluginProblem& other) {
           return other.kind == Kind::unknown_key && other.detail == problem.detail &&
                  other.node.parent() == problem.node;
         });
}

std::string describe(const DevicePluginProblem& problem) {
  using Kind = DevicePluginProblem::Kind;
  const std::string& detail = problem.detail;
  switch (problem.kind) {
    case Kind::not_a_mapping:
      return "is not a mapping";
    case Kind::unreadable:
      return "cannot be converted to JSON";
    case Kind::mistyped:
      return "must be " + with_article(detail);
    case Kind::unknown_version:
      return "is not a valid version, because the only version is `v1`";
    case Kind::missing_field:
      if (problem.node.key().text() == detail) return "is empty";
      return fmt::format("has no `{}`", detail);
    case Kind::too_few_replicas:
      return "is too small, because sharing needs at least 2 replicas";
    case Kind::invalid_name:
      return fmt::format("sets the invalid resource name `{}`", detail);
    case Kind::invalid_devices:
      return "lists devices in a form that the plugin does not know";
    case Kind::invalid_value:
      if (!problem.node.is_scalar()) return "has a value that the plugin does not accept";
      return fmt::format(
          "is not a valid value of `{}`",
          (problem.node.key() ? problem.node.key() : problem.node.parent().key()).text());
    case Kind::mps_with_mixed:
      return "does not work, because MPS does not support MIG strategy `mixed`";
    case Kind::mps_without_root:
      return "needs a value for `mpsRoot`";
    case Kind::unknown_key:
      return "has no effect, because the plugin does not know this key";
    case Kind::misplaced_key:
      return "has no effect, because the key is in the wrong place";
    case Kind::zeroed_flag:
      return "has no effect, because the key is in the wrong section";
    case Kind::ignored_rename:
      return fmt::format("has no effect, because the plugin offers the resource as `{}`", detail);
    case Kind::ignored_devices:
      return "has no effect, because the plugin shares every device";
    case Kind::ignored_resources:
      return "has no effect";
    case Kind::shadowed_time_slicing:
      return "has no effect, because `mps` is also set";
    case Kind::duplicate_resource:
      return "has no effect, because an earlier entry has the same name";
    case Kind::too_many_replicas:
      return "is more than the 48 clients that MPS supports";
    case Kind::mps_with_mig:
      return "does not work with MPS as soon as a GPU has MIG devices";
    case Kind::unmatched_resource:
      return fmt::format("has no effect, because no device has this name with MIG strategy `{}`",
                         detail);
  }
  return {};
}

}  // namespace gpulint::rules
