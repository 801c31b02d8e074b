#include "rules/support/flyte_queries.h"

namespace gpulint::rules {

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

}  // namespace gpulint::rules
