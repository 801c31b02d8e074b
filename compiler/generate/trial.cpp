#include "compiler/generate/trial.h"

#include "compiler/model/facts/gpu_resource.h"

namespace gpulint::generate {

Trial::Trial(const Problem& problem, const std::vector<Demand>& demands, const Block& block)
    : config_(with_block(*problem.config, block)) {
  const flyte::PlatformResources platform = with_block(*problem.platform, block);
  prepared_.reserve(demands.size());
  for (const Demand& demand : demands) {
    pods_.push_back(flyte::compile_task(config_, platform, *demand.task));
    add_runtime_class(*problem.runtime_classes, pods_.back().workload);
    prepared_.push_back(prepare_pod(pods_.back().workload, problem.admission));
  }
}

std::vector<const Workload*> Trial::workloads() const {
  std::vector<const Workload*> workloads;
  for (const flyte::CompiledPod& pod : pods_) workloads.push_back(&pod.workload);
  return workloads;
}

std::string gpu_resource_of(const PreparedPod& pod) {
  for (const PodRequest& request : pod.requests.resources) {
    if (is_gpu_resource(request.name) && (request.amount > 0 || request.is_open)) {
      return request.name;
    }
  }
  return {};
}

}  // namespace gpulint::generate
