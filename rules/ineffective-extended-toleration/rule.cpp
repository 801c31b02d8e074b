#include "compiler/engine/rule.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/edit/edits.h"
#include "compiler/flyte/analysis.h"
#include "compiler/model/facts/gpu_resource.h"

namespace gpulint::rules::ineffective_extended_toleration {
namespace {

/// Whether Flyte's pod plugin builds a task, to which the key does not apply.
[[nodiscard]] bool has_ordinary_tasks(const flyte::Installation& installation) {
  const auto is_ordinary = [](const flyte::Task& task) {
    return task.plugin == flyte::TaskPlugin::container;
  };
  return installation.tasks.empty() || std::ranges::any_of(installation.tasks, is_ordinary);
}

[[nodiscard]] bool is_covered(const flyte::K8sPluginConfig& config, std::string_view resource) {
  return std::ranges::any_of(config.resource_tolerations, [&](const auto& entry) {
    return entry.resource.value == resource && !entry.tolerations.empty();
  });
}

/// Adds the entry of `resource-tolerations` with the intended effect.
[[nodiscard]] std::vector<Edit> add_entry(const Corpus& corpus, const flyte::FlyteConfig& config,
                                          Node list, std::string_view resource) {
  const std::string toleration =
      fmt::format("\n- key: {}\n  operator: Exists\n  effect: NoSchedule", yaml_string(resource));
  const Node existing = config.find_setting("plugins.k8s.resource-tolerations");
  if (existing.is_mapping()) return insert_entry(*corpus.sources, existing, resource, toleration);
  if (existing) return {};
  const std::string nested =
      fmt::format("\n  {}:\n  - key: {}\n    operator: Exists\n    effect: NoSchedule",
                  yaml_string(resource), yaml_string(resource));
  return insert_entry(*corpus.sources, list.parent(), "resource-tolerations", nested);
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const flyte::Installation& installation : corpus.flyte->installations) {
    const flyte::FlyteConfig& config = installation.loaded.propeller;
    if (!has_ordinary_tasks(installation)) continue;
    for (const Field<std::string>& resource : config.k8s.extended_resources) {
      if (!resource.is_known() || !resource.node() || !is_gpu_resource(resource.value())) continue;
      if (is_covered(config.k8s, resource.value())) continue;
      const Node list =
          resource.node().parent().is_sequence() ? resource.node().parent() : resource.node();
      reporter
          .report(resource.node(),
                  "Flyte ignores `add-tolerations-for-extended-resources` for container tasks and "
                  "Python tasks")
          .help(
              "use `resource-tolerations`, which Flyte applies to all tasks. Otherwise only Ray, "
              "Spark, Dask and Kubeflow pods receive the toleration for `{}`",
              resource.value())
          .fix(Safety::unsafe, fmt::format("add `{}` to `resource-tolerations`", resource.value()),
               add_entry(corpus, config, list, resource.value()));
    }
  }
}

}  // namespace

extern constinit const Rule rule{
    .info = {.category = "flyte", .severity = Severity::warning, .fix = FixAvailability::unsafe},
    .check = check};

}  // namespace gpulint::rules::ineffective_extended_toleration
