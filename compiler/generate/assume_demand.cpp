#include "compiler/generate/assume_demand.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "compiler/generate/demand.h"
#include "compiler/generate/label_advice.h"
#include "compiler/model/facts/mig_profile.h"
#include "compiler/model/facts/provider_catalog.h"

namespace gpulint::generate {
namespace {

/// More GPUs than any machine has; offered if the size of nodes is unknown.
constexpr std::int64_t many_gpus = 16;

[[nodiscard]] flyte::Task assumed_task(const std::string& device, const std::string& size,
                                       FlyteVersion version) {
  flyte::Task task = flyte::parse_task_spec("gpu=1", version);
  task.assumed = true;
  task.name = size.empty() ? device : fmt::format("{}-{}", device, size);
  flyte::TaskAccelerator& accelerator = task.accelerator.emplace();
  accelerator.device.value = device;
  if (!size.empty()) accelerator.partition_size = Value<std::string>{size, {}};
  return task;
}

[[nodiscard]] PoolLabel exact(std::string_view key, const std::string& value) {
  return {std::string(key), PoolLabel::Known::exact, {value}, {}};
}

[[nodiscard]] std::string_view key_with_role(std::string_view provider, std::string_view role) {
  const auto labels = labels_with_role(provider, role);
  return labels.empty() ? std::string_view{} : labels.front()->key;
}

/// Whether nodes of the provider can have the device in this label.
[[nodiscard]] bool can_have(std::string_view key, const std::string& device) {
  const std::vector<std::string_view> values = device_values_of_label(key);
  return values.empty() || std::ranges::find(values, device) != values.end();
}

/// Adds a label: certain if the provider sets it, possible if users do. False if there is none.
[[nodiscard]] bool add_label(std::string_view key, const std::string& value, NodePool& pool) {
  if (key.empty()) return false;
  if (owner_of_label(key).empty()) {
    pool.labels_complete = pool.own_labels_complete = false;
  } else {
    pool.labels.push_back(exact(key, value));
  }
  return true;
}

void add_taints(std::string_view provider, NodePool& pool) {
  for (const ProviderTaint& taint : provider_taints()) {
    if (taint.provider != provider || taint.set_by != "provider") continue;
    if (taint.key.find("gpu") == std::string_view::npos) continue;
    Taint made;
    made.key = Field<std::string>::known(std::string(taint.key));
    made.value = Field<std::string>::known(std::string(taint.value));
    made.effect = Field<std::string>::known(std::string(taint.effect));
    pool.taints.push_back(std::move(made));
  }
}

}  // namespace

std::vector<flyte::Task> assumed_tasks(const Cluster& cluster, FlyteVersion version) {
  std::set<std::pair<std::string, std::string>> choices;
  for (const NodePool& pool : cluster.pools) {
    std::set<std::string> sizes;
    for (const PoolLabel& label : pool.labels) {
      for (const std::string& value : listed_values(pool, label.key)) {
        if (parse_mig_profile(value)) sizes.insert(value);
      }
    }
    for (const PoolLabel& label : pool.labels) {
      if (!has_role(label.key, "device")) continue;
      for (const std::string& device : listed_values(pool, label.key)) {
        if (sizes.empty()) choices.emplace(device, "");
        for (const std::string& size : sizes) choices.emplace(device, size);
      }
    }
  }
  std::vector<flyte::Task> tasks{flyte::parse_task_spec("name=gpu,gpu=1", version)};
  tasks.front().assumed = true;
  for (const auto& [device, size] : choices) tasks.push_back(assumed_task(device, size, version));
  return tasks;
}

Cluster assumed_cluster(Provider provider, std::span<const flyte::Task> tasks,
                        const flyte::FlyteConfig& config) {
  Cluster cluster;
  cluster.provider = provider;
  // without a cloud, NVIDIA's GPU Operator labels the nodes
  const std::string_view name =
      provider == Provider::generic ? "nvidia-gfd-operator" : provider_name(provider);
  const std::string_view device_key = key_with_role(name, "device");
  const std::string_view partition_key = key_with_role(name, "partition");
  std::set<std::pair<std::string, std::string>> made;
  for (const flyte::Task& task : tasks) {
    const Demand demand = demand_of(task, config);
    if (!made.emplace(demand.device, demand.partition).second) continue;
    if (!demand.device.empty() && (device_key.empty() || !can_have(device_key, demand.device))) {
      continue;
    }
    NodePool pool;
    pool.source = NodePool::Source::gpulint_config;
    pool.name = fmt::format("{} nodes{}{}{}{}", provider_name(provider),
                            demand.device.empty() ? "" : " with ", demand.device,
                            demand.partition.empty() ? "" : " partitioned ", demand.partition);
    pool.labels_complete = pool.own_labels_complete = pool.taints_complete = true;
    if (!demand.device.empty() && !add_label(device_key, demand.device, pool)) continue;
    if (!demand.partition.empty() && !add_label(partition_key, demand.partition, pool)) continue;
    add_taints(name, pool);
    const std::string resource = config.k8s.gpu_resource_name.value_or("nvidia.com/gpu");
    pool.allocatable.push_back({{resource, {}}, Field<Quantity>::known(Quantity::of(many_gpus))});
    cluster.pools.push_back(std::move(pool));
  }
  return cluster;
}

}  // namespace gpulint::generate
