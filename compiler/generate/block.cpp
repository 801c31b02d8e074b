#include "compiler/generate/block.h"

#include <algorithm>

#include "compiler/model/quantity.h"

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

}  // namespace gpulint::generate
