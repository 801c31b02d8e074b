#include "compiler/generate/demand.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "compiler/flyte/accelerator.h"
#include "compiler/generate/label_advice.h"
#include "compiler/model/facts/accelerator_catalog.h"
#include "compiler/model/facts/mig_profile.h"
#include "compiler/model/facts/provider_catalog.h"

namespace gpulint::generate {
namespace {

/// With more keys, equal values are a coincidence and not device labels.
constexpr std::size_t max_keys = 6;

/// Keys that are known for their role come first, then those with more nodes.
[[nodiscard]] std::vector<std::string> ranked(const std::map<std::string, std::size_t>& counts,
                                              std::string_view role) {
  std::vector<std::string> keys;
  for (const auto& [key, count] : counts) keys.push_back(key);
  std::ranges::stable_sort(keys, [&](const std::string& a, const std::string& b) {
    const bool a_known = has_role(a, role);
    const bool b_known = has_role(b, role);
    return a_known != b_known ? a_known : counts.at(a) > counts.at(b);
  });
  if (keys.size() > max_keys) keys.resize(max_keys);
  return keys;
}

/// Whether the nodes declare a value for one of the keys.
[[nodiscard]] bool lists_any(const NodePool& pool, const std::vector<std::string>& keys) {
  return std::ranges::any_of(
      keys, [&](const std::string& key) { return !listed_values(pool, key).empty(); });
}

[[nodiscard]] bool is_claimed(const PoolLabel& label) {
  return label.known == PoolLabel::Known::exact || label.known == PoolLabel::Known::one_of ||
         label.known == PoolLabel::Known::provider;
}

/// `A100` from `A100-80GB`.
[[nodiscard]] std::string_view model_of(std::string_view product) {
  return product.substr(0, product.find('-'));
}

/// Whether the pool's machines certainly have GPUs of another model. Users' device labels
/// distinguish models, not always their memory.
[[nodiscard]] bool has_other_product(const NodePool& pool, const std::string& device) {
  const std::vector<const DeviceName*> meant = find_device(device);
  if (meant.empty() || pool.gpu_products.empty()) return false;
  return std::ranges::none_of(pool.gpu_products, [&](const std::string& product) {
    return std::ranges::any_of(meant, [&](const DeviceName* name) {
      return model_of(name->product) == model_of(product);
    });
  });
}

[[nodiscard]] Ternary has_partition(const NodePool& pool, const Demand& demand,
                                    const LabelKeys& keys, const std::vector<Demand>& demands) {
  if (!demand.partition.empty()) {
    const bool is_listed = std::ranges::any_of(
        keys.partition, [&](const std::string& key) { return lists(pool, key, demand.partition); });
    if (is_listed) return Ternary::yes;
    return pool.labels_complete || lists_any(pool, keys.partition) ? Ternary::no : Ternary::unknown;
  }
  if (!demand.unpartitioned) return Ternary::yes;
  for (const std::string& key : keys.partition) {
    for (const std::string& value : listed_values(pool, key)) {
      if (is_partition_size(value, demands)) return Ternary::no;
    }
  }
  return Ternary::yes;
}

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

Demand demand_of(const flyte::Task& task, const flyte::FlyteConfig& config) {
  Demand demand;
  demand.task = &task;
  demand.accelerator = accelerator_of(task);
  if (demand.accelerator == nullptr) return demand;
  if (!demand.accelerator->device.value.empty()) {
    demand.device = flyte::device_label_value(config, *demand.accelerator).value_or("");
  }
  if (demand.accelerator->partition_size) {
    demand.partition = demand.accelerator->partition_size->value;
  } else {
    demand.unpartitioned = demand.accelerator->unpartitioned.value_or(false);
  }
  return demand;
}

LabelKeys find_label_keys(const Cluster& cluster, const std::vector<Demand>& demands) {
  std::set<std::string_view> devices;
  std::set<std::string_view> sizes;
  for (const Demand& demand : demands) {
    if (!demand.device.empty()) devices.insert(demand.device);
    if (!demand.partition.empty()) sizes.insert(demand.partition);
  }
  std::map<std::string, std::size_t> device_counts;
  std::map<std::string, std::size_t> partition_counts;
  for (const NodePool& pool : cluster.pools) {
    for (const PoolLabel& label : pool.labels) {
      if (!is_claimed(label)) continue;
      for (const std::string& value : label.values) {
        if (devices.contains(value)) ++device_counts[label.key];
        if (sizes.contains(value) || parse_mig_profile(value)) ++partition_counts[label.key];
      }
    }
  }
  return {ranked(device_counts, "device"), ranked(partition_counts, "partition")};
}

std::vector<std::string> listed_values(const NodePool& pool, std::string_view key) {
  for (const PoolLabel& label : pool.labels) {
    if (label.key == key && is_claimed(label)) return label.values;
  }
  return {};
}

bool lists(const NodePool& pool, std::string_view key, std::string_view value) {
  for (const PoolLabel& label : pool.labels) {
    if (label.key != key || !is_claimed(label)) continue;
    return std::ranges::find(label.values, value) != label.values.end();
  }
  return false;
}

bool is_partition_size(std::string_view value, const std::vector<Demand>& demands) {
  return parse_mig_profile(value).has_value() ||
         std::ranges::any_of(demands, [&](const Demand& d) { return d.partition == value; });
}

Ternary has_device(const NodePool& pool, const Demand& demand, const LabelKeys& keys) {
  if (demand.device.empty()) return Ternary::yes;
  const bool is_listed = std::ranges::any_of(
      keys.device, [&](const std::string& key) { return lists(pool, key, demand.device); });
  if (is_listed) return Ternary::yes;
  if (has_other_product(pool, demand.device)) return Ternary::no;
  return pool.labels_complete || lists_any(pool, keys.device) ? Ternary::no : Ternary::unknown;
}

Ternary is_meant(const NodePool& pool, const Demand& demand, const LabelKeys& keys,
                 const std::vector<Demand>& demands) {
  return all_of(has_device(pool, demand, keys), has_partition(pool, demand, keys, demands));
}

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
