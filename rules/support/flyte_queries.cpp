#include "rules/support/flyte_queries.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/edit/edits.h"
#include "compiler/flyte/read_config.h"
#include "compiler/model/facts/flyte_key_catalog.h"
#include "compiler/model/gitops/release_layers.h"
#include "rules/support/kubernetes_words.h"

namespace gpulint::rules {
namespace {

/// Writes the requirement with the right operator; no edits if that is not safe.
[[nodiscard]] std::vector<Edit> correct_form(const SourceSet& sources, const TolerationForm& form) {
  std::vector<Edit> edits;
  if (form.op.text() != form.meant) edits = replace_string(sources, form.op, form.meant);
  if (edits.empty() && form.op.text() != form.meant) return {};
  std::vector<Edit> more;
  if (form.meant == "In") {
    more = rename_to_list(sources, form.value, "values");
  } else {
    more = remove_entry(sources, form.value);
  }
  if (more.empty()) return {};
  std::ranges::move(more, std::back_inserter(edits));
  return edits;
}

/// What correct_form() writes.
[[nodiscard]] std::string correction_of_form(const SourceSet& sources, const TolerationForm& form) {
  return form.meant == "In" ? fmt::format("write `operator: In` and `values: [{}]`",
                                          sources.text(form.value.span()))
                            : fmt::format("write `operator: {}` without a value", form.meant);
}

/// Whether values with keys of flyte-core are for flyte-binary: they set keys of that chart, and no
/// component of flyte-core.
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

/// Whether the mapping `plugins`, or that of one plugin, has keys that only Flyte has.
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

[[nodiscard]] bool ends_part(std::string_view path, std::size_t at) {
  return at == path.size() || path[at] == '.' || path[at] == '[';
}

/// Where `key` is a whole part of a path; npos if it is not, or is more than one.
[[nodiscard]] std::size_t find_part(std::string_view path, std::string_view key) {
  std::size_t found = std::string_view::npos;
  for (std::size_t at = 0; (at = path.find(key, at)) != std::string_view::npos; ++at) {
    if ((at > 0 && path[at - 1] != '.') || !ends_part(path, at + key.size())) continue;
    if (found != std::string_view::npos) return std::string_view::npos;
    found = at;
  }
  return found;
}

}  // namespace

std::vector<const Toleration*> all_tolerations(const flyte::K8sPluginConfig& config) {
  std::vector<const Toleration*> found;
  const auto add = [&](const std::vector<Toleration>& tolerations) {
    for (const Toleration& toleration : tolerations) found.push_back(&toleration);
  };
  for (const flyte::ResourceTolerations& entry : config.resource_tolerations)
    add(entry.tolerations);
  add(config.default_tolerations);
  add(config.interruptible_tolerations);
  if (config.gpu_unpartitioned_toleration) found.push_back(&*config.gpu_unpartitioned_toleration);
  for (const flyte::AcceleratorClass& accelerator : config.accelerator_classes) {
    if (accelerator.unpartitioned_toleration)
      found.push_back(&*accelerator.unpartitioned_toleration);
  }
  return found;
}

std::vector<const SelectorRequirement*> all_requirements(const flyte::K8sPluginConfig& config) {
  std::vector<const SelectorRequirement*> found;
  for (const auto* requirement :
       {&config.gpu_unpartitioned_requirement, &config.interruptible_requirement,
        &config.non_interruptible_requirement}) {
    if (*requirement) found.push_back(&**requirement);
  }
  for (const flyte::AcceleratorClass& accelerator : config.accelerator_classes) {
    if (accelerator.unpartitioned_requirement) {
      found.push_back(&*accelerator.unpartitioned_requirement);
    }
  }
  return found;
}

std::vector<flyte::ConfigProblem> distinct_problems(const flyte::FlyteConfig& config) {
  std::vector<flyte::ConfigProblem> distinct;
  for (const flyte::ConfigProblem& problem : config.problems) {
    const bool is_of_section = problem.path.starts_with("plugins.k8s");
    if (!problem.node || (!is_of_section && problem.message != flyte::no_mapping)) continue;
    const Node mapping = problem.node.parent();
    const bool is_told = !distinct.empty() && mapping && distinct.back().node.parent() == mapping;
    if (!is_told) distinct.push_back(problem);
  }
  return distinct;
}

std::vector<const Field<std::string>*> all_single_texts(const flyte::K8sPluginConfig& config) {
  std::vector<const Field<std::string>*> texts{
      &config.gpu_resource_name, &config.gpu_device_node_label,
      &config.gpu_partition_size_node_label, &config.scheduler_name};
  for (const auto* labels : {&config.default_node_selector, &config.interruptible_node_selector}) {
    for (const LabelEntry& label : *labels) texts.push_back(&label.value);
  }
  return texts;
}

bool is_converted(const Field<std::string>& text) {
  const Node node = text.node();
  if (!text.is_known() || !node.is_scalar()) return false;
  const bool is_read_as_text = node.style() != Style::plain && !setting_format(node);
  if (is_read_as_text) return false;
  return !node.is_null() && !node.is_opaque() && !equal_fold(text.value(), node.text());
}

bool is_flyte_plugin_key(std::string_view written) {
  const std::string folded = to_lower(written);
  std::string_view key = folded;
  for (const std::string_view section : {"plugins.", "k8s."}) {
    if (key.starts_with(section)) key.remove_prefix(section.size());
  }
  if (written.find('.') != std::string_view::npos && key == "k8s") return true;
  return find_flyte_plugin_key(key) != nullptr || key.starts_with("accelerator-device-classes.");
}

bool is_flyte_gpu_key(std::string_view written) {
  const std::string key = to_lower(written);
  const bool speaks_of_gpus = key.starts_with("gpu-") || key.starts_with("interruptible-") ||
                              key.starts_with("accelerator-device") ||
                              key.find("tolerations") != std::string::npos;
  return speaks_of_gpus && find_flyte_plugin_key(key) != nullptr;
}

std::optional<TolerationForm> find_toleration_form(Node requirement) {
  const Node op = requirement.get_folded("operator");
  const Node value = requirement.get_folded("value");
  if (!op.is_scalar() || !value.is_scalar() || op.is_opaque()) return std::nullopt;
  if (requirement.get_folded("values")) return std::nullopt;
  for (const std::string_view meant : {"DoesNotExist", "Exists"}) {
    if (value.text() == meant) return TolerationForm{op, value, meant};
  }
  if (!means_equal(op.text())) return std::nullopt;
  return TolerationForm{op, value, "In"};
}

Finding report_form(const SourceSet& sources, Reporter& reporter, const TolerationForm& form,
                    Safety safety) {
  return reporter
      .report(form.op,
              "this node selector requirement is written like a toleration: `operator: {}` with "
              "`value: {}`",
              form.op.text(), form.value.text())
      .related(form.value, "Flyte ignores this value")
      .fix(safety, correction_of_form(sources, form), correct_form(sources, form));
}

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
    const bool is_merged = at.key().text() == "<<" && at.key().style() == Style::plain;
    if (at.key() && !is_merged) keys.push_back(at.key().text());
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
    return "eksctl rejects the file";
  }
  if (top.get("apiVersion") && top.get("kind"))
    return "kubectl and Helm silently keep the last value";
  const auto known = recognize_values(document, corpus.settings->flyte_chart);
  if (!known.empty() && known.front().kind == Kind::config) return "Flyte does not start";
  if (!known.empty()) return "Helm silently keeps the last value";
  return "many parsers silently keep the last value, but others reject the file";
}

bool is_in_path(Node written, std::string_view key) {
  return written.text() != key && find_part(written.text(), key) != std::string_view::npos;
}

std::vector<Edit> rename_in_path(const SourceSet& sources, Node path, std::string_view key,
                                 std::string_view name) {
  const std::size_t at = find_part(path.text(), key);
  if (at == std::string_view::npos || key.empty()) return {};
  std::string renamed(path.text());
  renamed.replace(at, key.size(), name);
  return replace_string(sources, path, renamed);
}

bool help_to_stay_text(const SourceSet& sources, Node value, Finding finding) {
  const auto format = setting_format(value);
  if (!format) return false;
  switch (*format) {
    case SettingFormat::argo_cd:
      finding.help("add `forceString: true` next to the value, to keep the value a string")
          .fix(Safety::safe, "add `forceString: true`",
               insert_entry(sources, value.parent(), "forceString", "true"));
      break;
    case SettingFormat::terraform:
      finding.help("add `type = \"string\"` next to the value, to keep the value a string");
      break;
    case SettingFormat::helmfile:
      finding.help("write the value in quotes under `values`, to keep the value a string");
      break;
    case SettingFormat::k3s:
      finding.help("write the value in quotes in `valuesContent`, to keep the value a string");
      break;
  }
  return true;
}

}  // namespace gpulint::rules
