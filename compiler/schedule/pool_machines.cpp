#include "compiler/schedule/pool_machines.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/base/text.h"
#include "compiler/model/facts/accelerator_catalog.h"
#include "compiler/model/facts/gpu_catalog.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/facts/machine_catalog.h"
#include "compiler/model/facts/mig_profile.h"
#include "compiler/model/kubernetes_names.h"
#include "compiler/model/pools/aks_pools.h"
#include "compiler/model/pools/cluster.h"
#include "compiler/model/pools/karpenter_pool.h"
#include "compiler/model/pools/pool_facts.h"
#include "compiler/model/pools/pool_fields.h"
#include "compiler/schedule/pool_accelerators.h"

namespace gpulint {
namespace {

using Names = std::set<std::string, std::less<>>;

/// Words of fields and labels that partition or share GPUs: GKE's `gpuSharingConfig` and
/// `gpuPartitionSize`, the GPU Operator's `mig.config` and `device-plugin.config`.
[[nodiscard]] bool mentions_sharing(std::string_view key) {
  constexpr auto words = std::to_array<std::string_view>(
      {"sharing", "partition", "time-slic", "timeslic", "/mig", "device-plugin.config", "shared",
       "hami", "fraction", "gpuinstance", "gpu_instance"});
  const std::string folded = to_lower(key);
  return std::ranges::any_of(
      words, [&](std::string_view word) { return folded.find(word) != folded.npos; });
}

[[nodiscard]] bool is_stated(const NodePool& pool, std::string_view resource) {
  return std::ranges::any_of(
      pool.allocatable, [&](const ResourceEntry& entry) { return entry.name.value == resource; });
}

void state_offer(NodePool& pool, std::string_view resource, Field<Quantity> amount) {
  if (!is_stated(pool, resource)) {
    pool.allocatable.push_back({{std::string(resource), {}}, std::move(amount)});
  }
}

/// Without a cloud's own image the kubelet may reserve no CPU.
[[nodiscard]] bool may_offer_all(const NodePool& pool, std::string_view resource) {
  using Source = NodePool::Source;
  return resource == "cpu" && (pool.source == Source::kops || pool.source == Source::cluster_api ||
                               pool.source == Source::gpulint_config);
}

/// The machine types as the pool writes them, because label values keep that spelling.
[[nodiscard]] std::set<std::string> written_types(const NodePool& pool,
                                                  const std::vector<const Machine*>& machines) {
  std::set<std::string> types;
  for (const Value<std::string>& type : pool.machine_types) types.insert(type.value);
  if (types.empty()) {
    for (const Machine* machine : machines) types.emplace(machine->type);
  }
  return types;
}

/// An empty value means that machines lack the label. The label is unknown if only some do.
void state_label(NodePool& pool, const std::string& key, const std::set<std::string>& values) {
  PoolLabel label{
      key, PoolLabel::Known::one_of, {values.begin(), values.end()}, machines_node(pool)};
  if (values.contains("")) {
    if (values.size() > 1) return;
    label.known = PoolLabel::Known::absent;
    label.values.clear();
  } else if (values.size() == 1) {
    label.known = PoolLabel::Known::exact;
  }
  pool.labels.push_back(std::move(label));
}

[[nodiscard]] Quantity quantity(std::string_view resource, std::int64_t amount) {
  if (resource != "cpu") return Quantity::of(amount);
  return Quantity::parse(std::to_string(amount) + "m").value_or(Quantity::of(amount / 1000));
}

/// The number of CPUs in the name of a predefined Compute Engine machine: `n1-standard-16`; nullopt
/// for other names.
[[nodiscard]] std::optional<std::int64_t> gce_processors(std::string_view type) {
  static constexpr auto series = std::to_array<std::string_view>(
      {"c2-", "c2d-", "c3-", "c3d-", "e2-", "g2-", "n1-", "n2-", "n2d-", "t2d-"});
  static constexpr auto shapes =
      std::to_array<std::string_view>({"standard-", "highmem-", "highcpu-"});
  for (const std::string_view one : series) {
    if (!type.starts_with(one)) continue;
    for (const std::string_view shape : shapes) {
      if (!type.substr(one.size()).starts_with(shape)) continue;
      return parse_canonical_int(type.substr(one.size() + shape.size()));
    }
  }
  return std::nullopt;
}

/// For machines that are not in the table: at most the number in their names.
void state_processors(NodePool& pool, const Names& resources) {
  if (!resources.contains("cpu") || pool.machine_types.empty()) return;
  std::int64_t most = 0;
  for (const Value<std::string>& type : pool.machine_types) {
    const auto processors = gce_processors(type.value);
    if (!processors) return;
    most = std::max(most, *processors);
  }
  state_offer(
      pool, "cpu",
      Field<Quantity>::known(quantity("cpu", most * 1000 - 1), pool.machine_types.front().node));
}

/// Whether the pool's declaration has a key of this name anywhere.
[[nodiscard]] bool mentions(const NodePool& pool, std::string_view key) {
  return any_below(pool.node, [&](Node at) { return at.key().text() == key; });
}

/// Does nothing if the pool has the label.
void state_absent(NodePool& pool, std::string_view key) {
  if (find_label(pool, key) != nullptr) return;
  pool.labels.push_back({std::string(key), PoolLabel::Known::absent, {}, machines_node(pool)});
}

/// EKS sets this label on nodes of managed groups. Capacity blocks have a third value.
void state_capacity_type(NodePool& pool, const Names& labels) {
  constexpr std::string_view key = "eks.amazonaws.com/capacityType";
  if (!labels.contains(key)) return;
  for (const std::string_view other :
       {"capacityReservation", "instanceMarketOptions", "launchTemplate", "launch_template"}) {
    if (mentions(pool, other)) return;
  }
  for (PoolLabel& label : pool.labels) {
    if (label.key == key && label.known == PoolLabel::Known::provider) {
      label.known = PoolLabel::Known::exact;
    }
  }
}

/// If pods require them, the labels with which a provider names pools and marks spot nodes are as
/// certain as the pool.
void state_own_names(NodePool& pool, const Names& labels) {
  constexpr auto names = std::to_array<std::string_view>(
      {"eks.amazonaws.com/nodegroup", "cloud.google.com/gke-nodepool",
       "kubernetes.azure.com/agentpool", "agentpool", "kops.k8s.io/instancegroup"});
  constexpr std::string_view spot = "cloud.google.com/gke-spot";
  constexpr std::string_view accelerator = "cloud.google.com/gke-accelerator";
  bool is_gke = pool.source == NodePool::Source::config_connector;
  for (PoolLabel& label : pool.labels) {
    is_gke = is_gke || label.key == "cloud.google.com/gke-nodepool";
    if (label.known != PoolLabel::Known::provider || !labels.contains(label.key)) continue;
    const bool is_name = std::ranges::find(names, label.key) != names.end();
    if (is_name && !label.values.empty() && !label.values.front().empty()) {
      label.known = PoolLabel::Known::exact;
    }
  }
  state_capacity_type(pool, labels);
  if (!is_gke) return;
  // Config Connector and Terraform omit the field or set it to false.
  if (labels.contains(spot) && !mentions(pool, "spot")) state_absent(pool, spot);
  // GKE sets this label only on nodes with GPUs.
  if (labels.contains(accelerator) && has_accelerators(pool) == Ternary::no) {
    state_absent(pool, accelerator);
  }
}

/// The machine type is a label even if the table does not have it.
void state_written_types(NodePool& pool, const Names& labels) {
  constexpr std::string_view key = "node.kubernetes.io/instance-type";
  const bool is_stated = find_label(pool, key) != nullptr;
  const bool is_listed = std::ranges::all_of(pool.machine_types, [](const auto& type) {
    return type.value.find_first_of(".-_") != std::string::npos;  // no `mixed`
  });
  if (!labels.contains(key) || is_stated || pool.machine_types.empty() || !is_listed) return;
  state_label(pool, std::string(key), written_types(pool, {}));
}

constexpr std::string_view partition_prefix = "nvidia.com/mig-";

/// The MIG Manager of the GPU Operator may partition the GPUs again because of such a label.
[[nodiscard]] bool is_of_mig_manager(const NodePool& pool) {
  return std::ranges::any_of(
      pool.labels, [](const PoolLabel& label) { return label.key.starts_with("nvidia.com/mig."); });
}

/// The GPUs of the pool's machines that can be partitioned; nullopt if one is unknown.
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
  if (!profile || !is_known_profile(*profile)) return true;  // other rules report it
  return std::ranges::any_of(gpus, [&](const MigGpu* gpu) { return has_profile(*gpu, *profile); });
}

/// Adds to a declared pool the most that its nodes can offer of the MIG devices in `resources`
/// (`nvidia.com/mig-…`, the names of strategy `mixed`): none of a profile that their GPUs do not
/// have and, if AKS partitions the GPUs (`gpuInstanceProfile`), only those of its profile.
/// `may_share`: each may be offered several times. Does not change what the pool states.
void state_partitions(NodePool& pool, const std::set<std::string, std::less<>>& resources,
                      bool may_share) {
  const auto state = [&](std::string_view name, Field<Quantity> amount) {
    if (find_entry(pool.allocatable, name) == nullptr)
      pool.allocatable.push_back({{std::string(name), {}}, std::move(amount)});
  };
  const auto first = resources.lower_bound(partition_prefix);
  if (first == resources.end() || !first->starts_with(partition_prefix)) return;
  if (pool.karpenter != nullptr || is_of_mig_manager(pool)) return;
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

/// The field with which AKS partitions the pool's GPUs if `resource` is a MIG device; null
/// otherwise.
[[nodiscard]] Node partitions_node(const NodePool& pool, std::string_view resource) {
  const auto cut = resource.starts_with(partition_prefix) ? aks_partitions(pool) : std::nullopt;
  return cut ? cut->node : Node{};
}

}  // namespace

std::optional<std::vector<const Machine*>> known_machines(const NodePool& pool) {
  if (pool.karpenter == nullptr) return machines_of(pool);
  MachineSet set = machines_left(pool.karpenter->requirements);
  if (!set.is_closed || set.machines.empty()) return std::nullopt;
  return std::move(set.machines);
}

Node machines_node(const KarpenterPool& pool) {
  for (const std::string_view end : {"/instance-type", "/sku-name", "/instance-family"}) {
    for (const SelectorRequirement& requirement : pool.stated) {
      if (!requirement.key.value_or("").ends_with(end) || !requirement.node) continue;
      const Node value = requirement.values.empty() ? Node{} : requirement.values.front().node();
      return value ? value : requirement.node;
    }
  }
  return pool.object;
}

Node machines_node(const NodePool& pool) {
  if (pool.karpenter != nullptr) return machines_node(*pool.karpenter);
  return pool.machine_types.empty() ? pool.node : pool.machine_types.front().node;
}

std::optional<std::int64_t> most_of(const std::vector<const Machine*>& machines,
                                    std::string_view resource, bool may_share_devices) {
  std::int64_t most = 0;
  for (const Machine* machine : machines) {
    const auto amount = machine->most(resource);
    if (!amount) return std::nullopt;
    most = std::max(most, *amount);
  }
  const bool is_open = may_share_devices && most > 0 && is_gpu_resource(resource);
  return is_open ? std::nullopt : std::optional(most);
}

std::int64_t left_for_pods(std::string_view resource, std::int64_t amount) {
  const bool is_shared = resource == "cpu" || resource == "memory";
  return is_shared && amount > 0 ? amount - 1 : amount;
}

std::optional<std::int64_t> machine_bound(const NodePool& pool, std::string_view resource,
                                          std::int64_t left) {
  const bool is_reduced =
      (resource == "cpu" && !may_offer_all(pool, resource)) || resource == "memory";
  // Round amounts come from configuration, which may state the offer itself.
  const std::int64_t unit = resource == "cpu" ? 5 : std::int64_t{1} << 20U;
  const bool is_machine = pool.source != NodePool::Source::node && is_reduced && left > 0;
  return is_machine && (left + 1) % unit == 0 ? std::optional(left + 1) : std::nullopt;
}

bool may_share_devices(const NodePool& pool) {
  return std::ranges::any_of(pool.labels,
                             [](const PoolLabel& label) { return mentions_sharing(label.key); }) ||
         any_below(pool.node, [](Node at) { return mentions_sharing(at.key().text()); });
}

void state_machine_offers(NodePool& pool, const Names& resources, bool is_shared) {
  using Source = NodePool::Source;
  // A pool of gpulint.yaml may state a machine type instead of its resources.
  const bool is_stated_pool =
      pool.source == Source::gpulint_config &&
      (pool.machine_types.empty() || pool.resources_complete || !pool.allocatable.empty());
  const bool states_all =
      pool.source == Source::node || is_stated_pool || pool.source == Source::kubelet;
  if (states_all) return;
  const auto machines = known_machines(pool);
  state_processors(pool, resources);
  state_partitions(pool, resources, is_shared);
  const bool is_open = is_shared || may_share_devices(pool);
  if (is_open && pool.karpenter != nullptr) {
    auto karpenter = std::make_shared<KarpenterPool>(*pool.karpenter);
    karpenter->may_share_devices = true;
    pool.karpenter = std::move(karpenter);
  }
  if (!machines) {
    if (is_open) return;
    for (const ResourceEntry& entry : pool.provider_resources) {
      if (entry.amount.is_known()) state_offer(pool, entry.name.value, entry.amount);
    }
    return;
  }
  Names names = resources;
  for (const Machine* machine : *machines) {
    for (const MachineAccelerator& accelerator : machine->accelerators) {
      names.emplace(accelerator.resource);
    }
  }
  for (const std::string& name : names) {
    const auto most = most_of(*machines, name, is_open);
    if (most) {
      const std::int64_t offered = may_offer_all(pool, name) ? *most : left_for_pods(name, *most);
      state_offer(pool, name, Field<Quantity>::known(quantity(name, offered), machines_node(pool)));
    } else if (is_gpu_resource(name)) {
      state_offer(pool, name, Field<Quantity>::opaque(machines_node(pool)));
    }
  }
}

Node offer_node(const NodePool& pool, std::string_view resource) {
  if (const Node cut = partitions_node(pool, resource)) return cut;
  for (const ResourceEntry& entry : pool.provider_resources) {
    const bool is_stated = entry.name.value == resource && entry.amount.is_known();
    if (is_stated && entry.amount.node()) return entry.amount.node();
  }
  return machines_node(pool);
}

void state_machine_labels(NodePool& pool, const Names& labels) {
  if (pool.source == NodePool::Source::node || pool.source == NodePool::Source::kubelet) return;
  state_own_names(pool, labels);
  const auto machines = known_machines(pool);
  if (!machines) return state_written_types(pool, labels);
  for (const std::string& key : labels) {
    // Only nodes of Karpenter and EKS Auto Mode have these labels.
    const bool is_karpenters =
        key.find("/instance-") != std::string::npos && key != "node.kubernetes.io/instance-type";
    if (is_karpenters && pool.karpenter == nullptr) continue;
    if (find_label(pool, key) != nullptr) continue;
    if (key == "node.kubernetes.io/instance-type") {
      state_label(pool, key, written_types(pool, *machines));
      continue;
    }
    const auto values = values_of(*machines, key);
    if (values) state_label(pool, key, *values);
  }
}

}  // namespace gpulint
