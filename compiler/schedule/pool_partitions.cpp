#include "compiler/schedule/pool_partitions.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "compiler/model/accelerator_catalog.h"
#include "compiler/model/gpu_catalog.h"
#include "compiler/model/machine_catalog.h"
#include "compiler/model/mig_profile.h"
#include "compiler/model/pools/aks_pools.h"
#include "compiler/schedule/pool_machines.h"

namespace gpulint {
namespace {

constexpr std::string_view partition_prefix = "nvidia.com/mig-";

/// MIG manager of NVIDIA's operator may cut the GPUs anew by what such a label says.
[[nodiscard]] bool speaks_of_mig_manager(const NodePool& pool) {
  return std::ranges::any_of(
      pool.labels, [](const PoolLabel& label) { return label.key.starts_with("nvidia.com/mig."); });
}

/// The GPUs of the pool's machines that can be partitioned; nullopt where one is not known.
[[nodiscard]] std::optional<std::vector<const MigGpu*>> partitionable_gpus(const NodePool& pool) {
  std::vector<const MigGpu*> gpus;
  const auto take = [&](std::string_view product) {
    for (const MigGpu* gpu : mig_gpus_of_product(product)) gpus.push_back(gpu);
  };
  for (const Value<std::string>& type : pool.machine_types) {
    const Machine* const machine = find_machine(type.value);
    if (machine == nullptr || machine->is_open) return std::nullopt;
    const std::vector<const DeviceName*> devices = gpus_of_instance_type(machine->type);
    if (machine->product.empty() && devices.empty()) return std::nullopt;
    take(machine->product);
    for (const DeviceName* device : devices) take(device->product);
  }
  return pool.machine_types.empty() ? std::nullopt : std::optional(gpus);
}

[[nodiscard]] bool may_have(const std::vector<const MigGpu*>& gpus, std::string_view resource) {
  const auto profile = profile_of_resource_suffix(resource.substr(partition_prefix.size()));
  if (!profile || !is_known_profile(*profile)) return true;  // others speak of it
  return std::ranges::any_of(gpus, [&](const MigGpu* gpu) { return has_profile(*gpu, *profile); });
}

}  // namespace

void state_partitions(NodePool& pool, const std::set<std::string, std::less<>>& resources,
                      bool may_share) {
  const auto state = [&](std::string_view name, Field<Quantity> amount) {
    const bool is_stated = std::ranges::any_of(
        pool.allocatable, [&](const ResourceEntry& entry) { return entry.name.value == name; });
    if (!is_stated) pool.allocatable.push_back({{std::string(name), {}}, std::move(amount)});
  };
  const auto first = resources.lower_bound(partition_prefix);
  if (first == resources.end() || !first->starts_with(partition_prefix)) return;
  if (pool.karpenter != nullptr || speaks_of_mig_manager(pool)) return;
  const auto gpus = partitionable_gpus(pool);
  const auto cut = aks_partitions(pool);
  if (cut) {
    state(cut->resource, may_share ? Field<Quantity>::opaque(cut->node)
                                   : Field<Quantity>::known(Quantity::of(cut->count), cut->node));
  }
  for (auto at = first; at != resources.end() && at->starts_with(partition_prefix); ++at) {
    if (cut) {
      state(*at, Field<Quantity>::known(Quantity::of(0), cut->node));
    } else if (gpus && !may_have(*gpus, *at)) {
      state(*at, Field<Quantity>::known(Quantity::of(0), machines_node(pool)));
    }
  }
}

Node partitions_node(const NodePool& pool, std::string_view resource) {
  const auto cut = resource.starts_with(partition_prefix) ? aks_partitions(pool) : std::nullopt;
  return cut ? cut->node : Node{};
}

}  // namespace gpulint
