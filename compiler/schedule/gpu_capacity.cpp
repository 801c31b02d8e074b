#include "compiler/schedule/gpu_capacity.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "compiler/ir/read.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/schedule/pool_machines.h"
#include "compiler/schedule/pool_size.h"

namespace gpulint {
namespace {

/// Labels of nodes in pools that can grow: node pools of GKE, EKS, eksctl, AKS, OKE, DOKS and
/// LKE, kOps' instance groups, Cluster API's machines, Karpenter, OpenShift's machines.
constexpr auto growing_pools = std::to_array<std::string_view>(
    {"alpha.eksctl.io/", "cloud.google.com/gke-nodepool", "cluster.x-k8s.io/",
     "doks.digitalocean.com/", "eks.amazonaws.com/", "karpenter.", "kops.k8s.io/",
     "kubernetes.azure.com/", "lke.linode.com/", "machine.openshift.io/", "node.cluster.x-k8s.io/",
     "node.kubernetes.io/nodegroup", "oci.oraclecloud.com/"});

[[nodiscard]] bool may_grow(const PoolLabel& label) {
  return label.key == "agentpool" ||
         std::ranges::any_of(
             growing_pools, [&](std::string_view prefix) { return label.key.starts_with(prefix); });
}

/// `registry.k8s.io/autoscaling/cluster-autoscaler:v1.32.0`.
[[nodiscard]] bool is_autoscaler(const Workload& workload) {
  return std::ranges::any_of(workload.pod.containers, [](const Container& container) {
    return container.image.value_or("").find("/cluster-autoscaler:") != std::string::npos;
  });
}

[[nodiscard]] std::optional<std::int64_t> amount_in(const std::vector<ResourceEntry>& entries,
                                                    std::string_view resource) {
  const ResourceEntry* const found = find_entry(entries, resource);
  if (found == nullptr || !found->amount.is_known()) return std::nullopt;
  return found->amount.value().value();
}

/// The most that Karpenter's limits allow: the limit of the resource, and the limit of `cpu`
/// divided by the CPUs of each machine.
[[nodiscard]] std::optional<std::int64_t> karpenters_most(const NodePool& pool,
                                                          std::string_view resource) {
  const std::vector<ResourceEntry> limits = karpenter_limits(pool);
  auto most = amount_in(limits, resource);
  const auto processors = amount_in(limits, "cpu");
  const auto machines = known_machines(pool);
  if (!processors || !machines) return most;
  std::int64_t by_processors = 0;
  for (const Machine* machine : *machines) {
    const auto count = machine->most(resource);
    if (!count || machine->cpu == 0) return most;
    // Machine types can be mixed, so a fraction of a machine also counts.
    by_processors = std::max(by_processors, *processors * *count / machine->cpu);
  }
  return std::min(most.value_or(by_processors), by_processors);
}

/// The most that a declared pool can have, with machines that each have `each`.
[[nodiscard]] std::optional<std::int64_t> most_in(const NodePool& pool, std::string_view resource,
                                                  std::int64_t each) {
  if (is_karpenter_pool(pool)) return karpenters_most(pool, resource);
  const auto size = largest_size(pool);
  return size ? std::optional(size->most * each) : std::nullopt;
}

}  // namespace

std::optional<DeviceDemand> device_demand(const PreparedPod& pod) {
  std::optional<DeviceDemand> demand;
  if (pod.requests.is_open) return std::nullopt;
  for (const PodRequest& request : pod.requests.resources) {
    if (!is_gpu_resource(request.name)) continue;
    if (request.is_open || demand) return std::nullopt;
    if (request.amount > 0) demand = DeviceDemand{request.name, request.amount, request.node};
  }
  return demand;
}

bool are_nodes_fixed(const ScopeModel& model) {
  const std::vector<NodePool>& pools = model.cluster.pools;
  if (pools.empty() || std::ranges::any_of(model.workloads, is_autoscaler)) return false;
  return std::ranges::all_of(pools, [](const NodePool& pool) {
    return pool.source != NodePool::Source::node || std::ranges::none_of(pool.labels, may_grow);
  });
}

std::optional<std::int64_t> device_amount(const KnownNodes& nodes, std::size_t node_class,
                                          const NodePool& pool, std::string_view resource) {
  if (pool.source == NodePool::Source::node) return amount_in(pool.allocatable, resource);
  // As rules see it: unknown if devices are shared or machines are unknown.
  const NodeResource* const each =
      nodes.placement().classes()[node_class].node.find_resource(resource);
  if (each == nullptr || each->is_open) return std::nullopt;
  return each->amount == 0 ? 0 : most_in(pool, resource, each->amount);
}

Node device_amount_node(const NodePool& pool, std::string_view resource) {
  if (!is_karpenter_pool(pool)) {
    const auto size = largest_size(pool);
    return size ? size->node : Node{};
  }
  const std::vector<ResourceEntry> limits = karpenter_limits(pool);
  const auto own = amount_in(limits, resource);
  const auto most = karpenters_most(pool, resource);
  for (const ResourceEntry& limit : limits) {
    if (limit.name.value == (own == most ? resource : "cpu")) return limit.amount.node();
  }
  return {};
}

std::optional<Capacity> capacity_for(const KnownNodes& nodes, const PreparedPod& pod,
                                     const DeviceDemand& demand) {
  Capacity capacity;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes.fits(pod, i) == Ternary::no) continue;
    for (const NodePool* pool : nodes.members(i)) {
      const auto devices = device_amount(nodes, i, *pool, demand.resource);
      if (!devices) return std::nullopt;
      capacity.devices += *devices * pool->equal_nodes;
      capacity.pods += *devices / demand.amount * pool->equal_nodes;
    }
  }
  return capacity;
}

}  // namespace gpulint
