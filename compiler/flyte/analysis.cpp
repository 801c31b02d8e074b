#include "compiler/flyte/analysis.h"

#include <algorithm>
#include <string>
#include <utility>

#include "compiler/base/parallel.h"
#include "compiler/flyte/assume.h"
#include "compiler/flyte/base_pod_template.h"
#include "compiler/flyte/flyteadmin.h"
#include "compiler/model/facts/gpu_resource.h"

namespace gpulint::flyte {
namespace {

[[nodiscard]] bool offers_gpus(const NodePool& pool) {
  return std::ranges::any_of(pool.allocatable, [](const ResourceEntry& entry) {
    return is_gpu_resource(entry.name.value) && entry.amount.is_known() &&
           !entry.amount.value().is_zero();
  });
}

[[nodiscard]] std::vector<Task> tasks_of(const ScopeModel& model, const LoadedRelease& loaded) {
  std::vector<Task> tasks = declared_tasks(*model.settings, loaded.version);
  if (!tasks.empty() || has_python_tasks(*model.settings)) return tasks;
  if (std::ranges::none_of(model.cluster.pools, offers_gpus)) return tasks;
  return assumed_tasks(model.cluster, loaded.propeller);
}

/// Whether flyteadmin rejects the task because of its GPUs.
[[nodiscard]] bool exceeds_gpu_limit(const LoadedRelease& loaded, const Task& task) {
  if (loaded.version != FlyteVersion::v1 || !loaded.platform.present) return false;
  const ParsedResources asked = parse_resources(task.requests, task.limits, task.target, "task");
  if (!asked.error.empty()) return false;
  const AdminVerdict verdict = validate_at_registration(task, asked.resources, loaded.platform);
  return !verdict.error.empty() && verdict.resource == "gpu";
}

/// The release with its tasks compiled.
[[nodiscard]] Installation install(LoadedRelease loaded, const ScopeModel& model, unsigned jobs) {
  Installation installation;
  installation.loaded = std::move(loaded);
  const LoadedRelease& own = installation.loaded;
  const std::string source = own.documents.empty()
                                 ? std::string()
                                 : model.sources->file(own.documents.front()->file).path();
  // missing values may set what a pod lacks
  if (own.is_partial) return installation;
  installation.tasks = tasks_of(model, own);
  if (!own.has_propeller || !own.propeller.problems.empty()) return installation;
  std::vector<const Task*> readable;
  for (const Task& task : installation.tasks) {
    if (task.problem.empty()) readable.push_back(&task);
  }
  installation.pods = parallel_map(readable.size(), jobs, [&](std::size_t i) {
    CompiledPod pod = compile_task(own.propeller, own.platform, *readable[i]);
    pod.source = source;
    return pod;
  });
  return installation;
}

}  // namespace

std::vector<RefusedTask> refused_tasks(const Installation& installation) {
  std::vector<RefusedTask> refused;
  auto pod = installation.pods.begin();
  for (const Task& task : installation.tasks) {
    const bool is_compiled = task.problem.empty() && pod != installation.pods.end();
    const CompiledPod* compiled = is_compiled ? &*pod++ : nullptr;
    if (task.assumed || exceeds_gpu_limit(installation.loaded, task)) continue;
    if (!task.problem.empty()) {
      const bool is_about_accelerator = task.accelerator && task.accelerator->node;
      refused.push_back(
          {&task, task.problem, is_about_accelerator ? task.accelerator->node : task.node});
    } else if (compiled != nullptr && compiled->error_stage == "task") {
      refused.push_back(
          {&task, compiled->error, compiled->error_node ? compiled->error_node : task.node});
    }
  }
  return refused;
}

Analysis analyze(const ScopeModel& model, unsigned jobs) {
  Analysis analysis;
  for (LoadedRelease& loaded : find_releases(model.documents, *model.sources, *model.settings)) {
    analysis.installations.push_back(install(std::move(loaded), model, jobs));
  }
  return analysis;
}

Analysis analyze_defaults(const ScopeModel& model, unsigned jobs) {
  const bool is_v2 = model.settings->flyte_version == FlyteVersion::v2;
  LoadedRelease loaded = load_files({}, is_v2 ? FlyteVersion::v2 : FlyteVersion::v1);
  loaded.propeller.pod_templates = find_base_pod_templates(model.documents);
  Analysis analysis;
  analysis.installations.push_back(install(std::move(loaded), model, jobs));
  return analysis;
}

}  // namespace gpulint::flyte
