#include "compiler/flyte/analysis.h"

#include <algorithm>
#include <string>
#include <utility>

#include "compiler/flyte/assume.h"
#include "compiler/model/gpu_resource.h"

namespace gpulint::flyte {
namespace {

[[nodiscard]] bool offers_gpus(const NodePool& pool) {
  return std::ranges::any_of(pool.allocatable, [](const ResourceEntry& entry) {
    return is_gpu_resource(entry.name.value) && entry.amount.is_known() &&
           !entry.amount.value().is_zero();
  });
}

[[nodiscard]] std::vector<Task> tasks_of(const Corpus& corpus, const Deployment& deployment) {
  std::vector<Task> tasks = declared_tasks(*corpus.settings, deployment.version);
  if (!tasks.empty() || std::ranges::none_of(corpus.cluster.pools, offers_gpus)) return tasks;
  return assumed_tasks(corpus.cluster, deployment.propeller);
}

}  // namespace

Analysis analyze(const Corpus& corpus) {
  Analysis analysis;
  for (Deployment& deployment :
       find_deployments(corpus.documents, *corpus.sources, *corpus.settings)) {
    Installation& installation = analysis.installations.emplace_back();
    installation.deployment = std::move(deployment);
    const Deployment& own = installation.deployment;
    const std::string source = own.documents.empty()
                                   ? std::string()
                                   : corpus.sources->file(own.documents.front()->file).path();
    installation.tasks = tasks_of(corpus, own);
    if (!own.has_propeller || !own.propeller.problems.empty()) continue;
    for (const Task& task : installation.tasks) {
      if (task.problem.empty()) {
        installation.pods.push_back(compile_task(own.propeller, own.platform, task));
        installation.pods.back().source = source;
      }
    }
  }
  return analysis;
}

}  // namespace gpulint::flyte
