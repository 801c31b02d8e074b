#include "compiler/engine/rule.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "compiler/edit/edits.h"
#include "compiler/flyte/analysis.h"
#include "compiler/model/facts/gpu_resource.h"

namespace gpulint::rules::toleration_resource_mismatch {
namespace {

/// Whether tasks of this installation can request the name, whatever device plugins exist.
[[nodiscard]] bool is_asked_for(const flyte::Installation& installation, std::string_view name) {
  const flyte::K8sPluginConfig& config = installation.loaded.propeller.k8s;
  const auto is_name = [&](const Field<std::string>& field) {
    return field.equals(std::string(name));
  };
  if (is_name(config.gpu_resource_name)) return true;
  if (std::ranges::any_of(config.accelerator_classes,
                          [&](const flyte::AcceleratorClass& accelerator) {
                            return is_name(accelerator.resource_name);
                          })) {
    return true;
  }
  return std::ranges::any_of(installation.tasks, [&](const flyte::Task& task) {
    const auto names_it = [&](const flyte::TaskResource& r) { return r.name.value == name; };
    return task.target == flyte::TaskTarget::k8s_pod &&
           (std::ranges::any_of(task.requests, names_it) ||
            std::ranges::any_of(task.limits, names_it));
  });
}

void check_name(const Corpus& corpus, Reporter& reporter, const flyte::Installation& installation,
                std::string_view name, Node node, std::string_view setting) {
  const GpuResource resource = classify_resource(name);
  using Kind = GpuResource::Kind;
  const bool is_wrong = resource.kind == Kind::near_miss || resource.kind == Kind::unknown_mig;
  if (!node || node.is_opaque() || !is_wrong || is_asked_for(installation, name)) return;
  Finding finding = reporter.report(
      node, "`{}` contains `{}`, but task pods never request a resource with this name", setting,
      name);
  if (resource.suggestion.empty()) {
    finding.help("write the resource name that pods request, by default `nvidia.com/gpu`");
    return;
  }
  finding.help("did you mean `{}`?", resource.suggestion)
      .fix(Safety::unsafe, fmt::format("write `{}`", resource.suggestion),
           replace_string(*corpus.sources, node, resource.suggestion));
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const flyte::Installation& installation : corpus.flyte->installations) {
    const flyte::K8sPluginConfig& config = installation.loaded.propeller.k8s;
    if (config.gpu_resource_name.is_opaque()) continue;
    for (const flyte::ResourceTolerations& entry : config.resource_tolerations) {
      check_name(corpus, reporter, installation, entry.resource.value, entry.resource.node,
                 "resource-tolerations");
    }
    for (const Field<std::string>& resource : config.extended_resources) {
      if (!resource.is_known()) continue;
      check_name(corpus, reporter, installation, resource.value(), resource.node(),
                 "add-tolerations-for-extended-resources");
    }
  }
}

}  // namespace

extern constinit const Rule rule{
    .info = {.category = "flyte", .severity = Severity::warning, .fix = FixAvailability::unsafe},
    .check = check};

}  // namespace gpulint::rules::toleration_resource_mismatch
