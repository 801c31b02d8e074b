#include "rules/support/flyte_queries.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "compiler/base/text.h"
#include "compiler/edit/edits.h"
#include "compiler/flyte/read_config.h"
#include "compiler/model/facts/flyte_key_catalog.h"
#include "compiler/model/gitops/release_layers.h"
#include "rules/support/kubernetes_words.h"

namespace gpulint::rules {
namespace {

/// Writes the requirement that is meant; no edits where that cannot be done safely.
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
              "`operator: {}` with `value: {}` is the form of a toleration, and a node selector "
              "requirement is due",
              form.op.text(), form.value.text())
      .related(form.value, "Flyte ignores it")
      .fix(safety, fmt::format("write `operator: {}`", form.meant), correct_form(sources, form));
}

}  // namespace gpulint::rules
