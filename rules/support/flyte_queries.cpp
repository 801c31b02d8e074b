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

std::vector<const Field<std::string>*> all_single_texts(const flyte::K8sPluginConfig& config) {
  std::vector<const Field<std::string>*> texts{
      &config.gpu_resource_name, &config.gpu_device_node_label,
      &config.gpu_partition_size_node_label, &config.scheduler_name};
  for (const auto* labels : {&config.default_node_selector, &config.interruptible_node_selector}) {
    for (const LabelEntry& label : *labels) texts.push_back(&label.value);
  }
  return texts;
}

}  // namespace gpulint::rules
