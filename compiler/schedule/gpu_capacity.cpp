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

/// Labels of nodes that somebody makes more of: node pools of GKE, EKS, eksctl, AKS, OKE, DOKS and
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

/// A count that somebody wrote; 1 where it is absent, nothing where it is open.
[[nodiscard]] std::optional<std::int64_t> read_count(Node owner, std::string_view key) {
  const Field<std::int64_t> count = read_int(owner, key);
  if (count.is_absent()) return 1;
  return count.is_known() && count.value() >= 0 ? std::optional(count.value()) : std::nullopt;
}

[[nodiscard]] std::optional<std::int64_t> amount_in(const std::vector<ResourceEntry>& entries,
                                                    std::string_view resource) {
  const auto found = std::ranges::find_if(
      entries, [&](const ResourceEntry& entry) { return entry.name.value == resource; });
  if (found == entries.end() || !found->amount.is_known()) return std::nullopt;
  return found->amount.value().value();
}

/// What Karpenter's limits leave: of the resource itself, and by the processors that each machine
/// brings with it.
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
    // Machines of several kinds may stand side by side: a share of one is counted, too.
    by_processors = std::max(by_processors, *processors * *count / machine->cpu);
  }
  return std::min(most.value_or(by_processors), by_processors);
}

/// What a declared pool may come to, of machines that each have `each`.
[[nodiscard]] std::optional<std::int64_t> most_in(const NodePool& pool, std::string_view resource,
                                                  std::int64_t each) {
  if (is_karpenter_pool(pool)) return karpenters_most(pool, resource);
  const auto size = largest_size(pool);
  return size ? std::optional(size->most * each) : std::nullopt;
}

/// The same, but nothing where it is absent: another object says it.
[[nodiscard]] std::optional<std::int64_t> read_own_count(Node owner, std::string_view key) {
  return owner.get(key) ? read_count(owner, key) : std::nullopt;
}

[[nodiscard]] std::optional<std::int64_t> count_in_groups(const Workload& workload) {
  const auto groups = read_count(workload.object.get("spec"), "replicas");
  const auto pods = pods_of_group(workload);
  return groups && pods ? std::optional(*groups * *pods) : std::nullopt;
}

[[nodiscard]] std::optional<std::int64_t> count_of_spark(const Workload& workload) {
  const Node spec = workload.kind.equals("SparkApplication") ? workload.object.get("spec")
                                                             : Node{};  // schedules take turns
  if (!spec || spec.at("dynamicAllocation", "enabled").text() == "true") return std::nullopt;
  return workload.role == "driver" ? 1 : read_own_count(spec.get("executor"), "instances");
}

/// Of kinds that count in words of their own; nothing where they do not say.
[[nodiscard]] std::optional<std::int64_t> count_by_kind(const Workload& workload) {
  const Node spec = workload.object.get("spec");
  if (workload.kind.equals("LeaderWorkerSet")) return count_in_groups(workload);
  if (workload.kind.equals("TrainJob")) return read_own_count(spec.get("trainer"), "numNodes");
  if (workload.kind.equals("NIMService")) {
    return spec.get("scale") || spec.get("multiNode") ? std::nullopt : read_count(spec, "replicas");
  }
  // KServe's default is one (v1beta1 ComponentExtensionSpec).
  if (workload.kind.equals("InferenceService")) return read_count(workload.pod.node, "minReplicas");
  return count_of_spark(workload);
}

[[nodiscard]] bool counts_by_itself(const Workload& workload) {
  constexpr auto kinds = std::to_array<std::string_view>({"InferenceService", "LeaderWorkerSet",
                                                          "NIMService", "ScheduledSparkApplication",
                                                          "SparkApplication", "TrainJob"});
  return std::ranges::find(kinds, workload.kind.value_or("")) != kinds.end();
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

std::optional<std::int64_t> pods_of_group(const Workload& workload) {
  const Node group = workload.object.at("spec", "leaderWorkerTemplate");
  const auto size = read_count(group, "size");
  if (!size || *size < 1) return std::nullopt;
  if (workload.role == "leader") return 1;
  return group.get("leaderTemplate") ? *size - 1 : *size;
}

std::optional<std::int64_t> pods_side_by_side(const Workload& workload) {
  if (workload.kind.equals("CronJob")) return std::nullopt;  // one after the other
  if (counts_by_itself(workload)) return count_by_kind(workload);
  std::int64_t count = 1;
  for (const Node around : workload.around) {
    for (const std::string_view key : {"replicas", "parallelism"}) {
      const auto factor = read_count(around, key);
      if (!factor || *factor > 100'000) return std::nullopt;
      count *= *factor;
    }
    // ai-dynamo/dynamo: other objects scale such services.
    if (around.get("autoscaling") || around.get("scalingAdapter")) return std::nullopt;
    if (const Node multinode = around.get("multinode")) {
      const auto pods = read_own_count(multinode, "nodeCount");
      if (!pods || *pods > 100'000) return std::nullopt;
      count *= *pods;
    }
  }
  return count;
}

bool are_nodes_fixed(const Cluster& cluster) {
  return !cluster.pools.empty() && std::ranges::all_of(cluster.pools, [](const NodePool& pool) {
    return pool.source != NodePool::Source::node || std::ranges::none_of(pool.labels, may_grow);
  });
}

std::optional<std::int64_t> device_amount(const KnownNodes& nodes, std::size_t node_class,
                                          const NodePool& pool, std::string_view resource) {
  if (pool.source == NodePool::Source::node) return amount_in(pool.allocatable, resource);
  // As rules see it: open where devices are shared or machines are not known.
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

std::optional<Room> room_for(const KnownNodes& nodes, const PreparedPod& pod,
                             const DeviceDemand& demand) {
  Room room;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes.fits(pod, i) == Ternary::no) continue;
    for (const NodePool* pool : nodes.members(i)) {
      const auto devices = device_amount(nodes, i, *pool, demand.resource);
      if (!devices) return std::nullopt;
      room.devices += *devices;
      room.pods += *devices / demand.amount;
    }
  }
  return room;
}

}  // namespace gpulint
