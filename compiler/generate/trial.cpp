#include "compiler/generate/trial.h"

#include <algorithm>

#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/quantity.h"
#include "compiler/schedule/best_fit.h"

namespace gpulint::generate {
namespace {

[[nodiscard]] Field<std::string> known_unless_empty(const std::string& text) {
  return text.empty() ? Field<std::string>{} : Field<std::string>::known(text);
}

void set_unless_empty(const std::string& text, Field<std::string>& field) {
  if (!text.empty()) field = Field<std::string>::known(text);
}

[[nodiscard]] SelectorRequirement to_requirement(const UnpartitionedRequirement& unpartitioned) {
  SelectorRequirement requirement;
  requirement.key = Field<std::string>::known(unpartitioned.key);
  requirement.op = Field<std::string>::known(unpartitioned.values.empty() ? "DoesNotExist" : "In");
  for (const std::string& value : unpartitioned.values) {
    requirement.values.push_back(Field<std::string>::known(value));
  }
  return requirement;
}

void add(const ResourceToleration& toleration, flyte::K8sPluginConfig& k8s) {
  auto at = std::ranges::find(k8s.resource_tolerations, toleration.resource,
                              [](const auto& entry) { return entry.resource.value; });
  if (at == k8s.resource_tolerations.end()) {
    k8s.resource_tolerations.push_back({{toleration.resource, {}}, {}});
    at = k8s.resource_tolerations.end() - 1;
  }
  at->tolerations.push_back(to_toleration(toleration));
}

/// The name of a platform limit as a Kubernetes resource.
[[nodiscard]] std::string kubernetes_name(const std::string& name) {
  if (name == "gpu") return "nvidia.com/gpu";
  return name == "ephemeralStorage" ? "ephemeral-storage" : name;
}

}  // namespace

std::size_t line_count(const Block& block) {
  const auto one_if = [](bool is_set) { return is_set ? std::size_t{1} : std::size_t{0}; };
  return one_if(!block.gpu_resource_name.empty()) + one_if(!block.device_label.empty()) +
         one_if(!block.partition_label.empty()) +
         one_if(block.unpartitioned_requirement.has_value()) +
         one_if(block.unpartitioned_toleration.has_value()) + block.tolerations.size() +
         block.limits.size();
}

Toleration to_toleration(const ResourceToleration& toleration) {
  Toleration result;
  result.key = known_unless_empty(toleration.key);
  result.op = known_unless_empty(toleration.op);
  result.value = known_unless_empty(toleration.value);
  result.effect = known_unless_empty(toleration.effect);
  return result;
}

flyte::FlyteConfig with_block(const flyte::FlyteConfig& config, const Block& block) {
  flyte::FlyteConfig result;  // not the trees, which are large: compiling does not read them
  result.version = config.version;
  result.k8s = config.k8s;
  flyte::K8sPluginConfig& k8s = result.k8s;
  set_unless_empty(block.gpu_resource_name, k8s.gpu_resource_name);
  set_unless_empty(block.device_label, k8s.gpu_device_node_label);
  set_unless_empty(block.partition_label, k8s.gpu_partition_size_node_label);
  if (block.unpartitioned_requirement) {
    k8s.gpu_unpartitioned_requirement = to_requirement(*block.unpartitioned_requirement);
  }
  if (block.unpartitioned_toleration) {
    k8s.gpu_unpartitioned_toleration = to_toleration(*block.unpartitioned_toleration);
  }
  for (const ResourceToleration& toleration : block.tolerations) add(toleration, k8s);
  return result;
}

flyte::PlatformResources with_block(flyte::PlatformResources platform, const Block& block) {
  for (const PlatformLimit& limit : block.limits) {
    flyte::Amount amount;
    if (const auto quantity = Quantity::parse(limit.amount)) amount.quantity = *quantity;
    platform.by_name.limits.set(kubernetes_name(limit.name), std::move(amount));
  }
  return platform;
}

Trial::Trial(const Problem& problem, const std::vector<Demand>& demands, const Block& block)
    : config_(with_block(*problem.config, block)) {
  const flyte::PlatformResources platform = with_block(*problem.platform, block);
  prepared_.reserve(demands.size());
  for (const Demand& demand : demands) {
    pods_.push_back(make_pod(config_, platform, *demand.task, *problem.runtime_classes));
    prepared_.push_back(prepare_pod(pods_.back().workload, problem.admission));
  }
}

std::vector<const Workload*> Trial::workloads() const {
  std::vector<const Workload*> workloads;
  for (const flyte::CompiledPod& pod : pods_) workloads.push_back(&pod.workload);
  return workloads;
}

flyte::CompiledPod make_pod(const flyte::FlyteConfig& config,
                            const flyte::PlatformResources& platform, const flyte::Task& task,
                            const RuntimeClasses& classes) {
  flyte::CompiledPod pod = flyte::compile_task(config, platform, task);
  add_runtime_class(classes, pod.workload);
  return pod;
}

Ternary try_task(const Problem& problem, const flyte::FlyteConfig& config,
                 const flyte::PlatformResources& platform, const flyte::Task& task) {
  const flyte::CompiledPod pod = make_pod(config, platform, task, *problem.runtime_classes);
  if (!pod.error.empty()) return Ternary::no;
  return best_fit(Placement({&pod.workload}, *problem.cluster, problem.admission), 0);
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
