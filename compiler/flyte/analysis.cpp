#include "compiler/flyte/analysis.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "compiler/model/gpu_resource.h"

namespace gpulint::flyte {
namespace {

[[nodiscard]] bool offers_gpus(const NodePool& pool) {
  return std::ranges::any_of(pool.allocatable, [](const ResourceEntry& entry) {
    return is_gpu_resource(entry.name.value) && entry.amount.is_known() &&
           !entry.amount.value().is_zero();
  });
}

/// The device values that GPU nodes carry under the installation's device label.
[[nodiscard]] std::vector<std::string> devices_of(const Cluster& cluster, std::string_view label) {
  std::set<std::string> devices;
  for (const NodePool& pool : cluster.pools) {
    if (!offers_gpus(pool)) continue;
    for (const PoolLabel& known : pool.labels) {
      if (known.key == label && known.known == PoolLabel::Known::exact) {
        devices.insert(known.values.begin(), known.values.end());
      }
    }
  }
  return {devices.begin(), devices.end()};
}

[[nodiscard]] std::vector<Task> tasks_of(const Corpus& corpus, const Deployment& deployment) {
  std::vector<Task> tasks;
  for (const Node entry : corpus.settings->tasks) {
    tasks.push_back(read_task(entry, deployment.version));
  }
  for (const std::string& spec : corpus.settings->task_specs) {
    tasks.push_back(parse_task_spec(spec, deployment.version));
  }
  if (!tasks.empty() || std::ranges::none_of(corpus.cluster.pools, offers_gpus)) return tasks;
  const Field<std::string>& label = deployment.propeller.k8s.gpu_device_node_label;
  return assumed_tasks(devices_of(corpus.cluster, label.is_known() ? label.value() : ""),
                       deployment.version);
}

}  // namespace

Analysis analyze(const Corpus& corpus) {
  Analysis analysis;
  for (Deployment& deployment :
       find_deployments(corpus.documents, *corpus.sources, *corpus.settings)) {
    Installation& installation = analysis.installations.emplace_back();
    installation.deployment = std::move(deployment);
    const Deployment& own = installation.deployment;
    installation.tasks = tasks_of(corpus, own);
    if (!own.has_propeller || !own.propeller.problems.empty()) continue;
    for (const Task& task : installation.tasks) {
      if (task.problem.empty()) {
        installation.pods.push_back(compile_task(own.propeller, own.platform, task));
      }
    }
  }
  return analysis;
}

}  // namespace gpulint::flyte
