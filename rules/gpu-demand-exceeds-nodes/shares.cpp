#include "rules/gpu-demand-exceeds-nodes/shares.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "compiler/ir/read.h"
#include "compiler/schedule/placement_analysis.h"
#include "rules/support/apart.h"
#include "rules/support/causes.h"
#include "rules/support/scheduler_queues.h"

namespace gpulint::rules::gpu_demand_exceeds_nodes {
namespace {

/// Of these all pods run at the same time: services, and jobs that wait for their last worker.
constexpr auto together = std::to_array<std::string_view>({"DaskCluster",
                                                           "DynamoComponentDeployment",
                                                           "DynamoGraphDeployment",
                                                           "Deployment",
                                                           "InferenceService",
                                                           "JAXJob",
                                                           "JobSet",
                                                           "LeaderWorkerSet",
                                                           "LLMInferenceService",
                                                           "MPIJob",
                                                           "MXJob",
                                                           "NIMService",
                                                           "PaddleJob",
                                                           "PyTorchJob",
                                                           "RayCluster",
                                                           "RayJob",
                                                           "RayService",
                                                           "ReplicaSet",
                                                           "SparkApplication",
                                                           "StatefulSet",
                                                           "TFJob",
                                                           "TrainJob",
                                                           "XGBoostJob"});

/// Of these all that are there run at the same time.
constexpr auto services = std::to_array<std::string_view>(
    {"DaskCluster", "DynamoComponentDeployment", "DynamoGraphDeployment", "Deployment",
     "InferenceService", "LeaderWorkerSet", "LLMInferenceService", "NIMService", "RayCluster",
     "RayService", "ReplicaSet", "StatefulSet"});

template <std::size_t n>
[[nodiscard]] bool is_one_of(const Workload& workload,
                             const std::array<std::string_view, n>& kinds) {
  return workload.kind.is_known() && std::ranges::find(kinds, workload.kind.value()) != kinds.end();
}

[[nodiscard]] bool runs_together(const Workload& workload) {
  return is_one_of(workload, together) || is_volcano_task(workload);
}

[[nodiscard]] std::optional<std::int64_t> count_pods(const Workload& workload) {
  return is_volcano_task(workload) ? pods_of_volcano_gang(workload) : pods_side_by_side(workload);
}

}  // namespace

Gatherings gather(const Placement& placement) {
  std::map<std::pair<const Document*, NodeIndex>, std::size_t> positions;
  Gatherings result;
  std::map<std::string, Shares> services_by_resource;
  for (std::size_t i = 0; i < placement.workloads().size(); ++i) {
    const Workload& workload = *placement.workloads()[i];
    if (!runs_together(workload) || !is_placement_known(workload)) continue;
    const auto demand = device_demand(placement.pod(i));
    const auto pods = count_pods(workload);
    if (!demand || !pods || *pods == 0) continue;
    const Share share{&workload, &placement.pod(i), *demand, *pods};
    const auto [at, is_new] = positions.try_emplace(
        {workload.object.document(), workload.object.index()}, result.objects.size());
    if (is_new) result.objects.emplace_back();
    result.objects[at->second].push_back(share);
    if (is_one_of(workload, services)) services_by_resource[demand->resource].push_back(share);
  }
  for (auto& [resource, shares] : services_by_resource)
    result.services.push_back(std::move(shares));
  return result;
}

Node count_node(const Share& share) {
  const Node spec = share.workload->object.get("spec");
  if (share.workload->kind.equals("InferenceService")) {
    return share.workload->pod.node.get("minReplicas");
  }
  if (share.workload->kind.equals("TrainJob")) return spec.at("trainer", "numNodes");
  if (share.workload->kind.equals("LeaderWorkerSet")) {
    const Node size = spec.at("leaderWorkerTemplate", "size");
    if (size && read_int(spec, "replicas").value_or(1) == 1) return size;
  }
  if (share.workload->kind.equals("SparkApplication")) return spec.at("executor", "instances");
  if (share.workload->kind.equals("NIMService")) return spec.get("replicas");
  if (is_volcano_task(*share.workload) && spec.get("minAvailable")) return spec.get("minAvailable");
  for (Node around = share.workload->template_node.parent(); around; around = around.parent()) {
    for (const std::string_view key : {"replicas", "parallelism"}) {
      if (const Node count = around.get(key)) return count;
    }
    if (around == share.workload->object) break;
  }
  return {};
}

std::int64_t sum_devices(const Shares& shares) {
  std::int64_t devices = 0;
  for (const Share& share : shares) devices += share.devices();
  return devices;
}

std::optional<std::int64_t> places_for_pods(const KnownNodes& nodes, const Shares& shares,
                                            std::int64_t enough) {
  std::int64_t places = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const bool takes = std::ranges::any_of(
        shares, [&](const Share& share) { return nodes.fits(*share.pod, i) != Ternary::no; });
    if (!takes) continue;
    for (const NodePool* pool : nodes.members(i)) {
      const auto pods = std::ranges::find(
          pool->allocatable, "pods",
          [](const ResourceEntry& entry) -> const std::string& { return entry.name.value; });
      const bool is_known = pool->source == NodePool::Source::node &&
                            pods != pool->allocatable.end() && pods->amount.is_known();
      if (!is_known) return std::nullopt;
      places += pods->amount.value().value();
      if (places >= enough) return places;
    }
  }
  return places;
}

std::optional<std::int64_t> offered(const KnownNodes& nodes, const Shares& shares) {
  std::map<std::size_t, std::int64_t> devices;
  for (const Share& share : shares) {
    bool fits = false;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (nodes.fits(*share.pod, i) == Ternary::no) continue;
      fits = true;
      if (devices.contains(i)) continue;
      for (const NodePool* pool : nodes.members(i)) {
        const auto amount = device_amount(nodes, i, *pool, share.demand.resource);
        if (!amount) return std::nullopt;
        devices[i] += *amount;
      }
    }
    if (!fits) return std::nullopt;
  }
  std::int64_t all = 0;
  for (const auto& [node_class, amount] : devices) all += amount;
  return all;
}

bool check_apart(const KnownNodes& nodes, const Share& share, Reporter& reporter) {
  const Node apart = keeps_apart(*share.workload);
  const auto count = apart && share.pods > 1 ? count_nodes_for(nodes, *share.pod) : std::nullopt;
  if (!count || share.pods <= *count) return false;
  Finding finding =
      reporter.report(apart, "{} pods of {} want a node each, and {} {} `{}`", share.pods,
                      describe(*share.workload), *count,
                      *count == 1 ? "node alone may take them with" : "nodes may take them with",
                      share.demand.resource);
  if (const Node replicas = count_node(share)) {
    finding.related(replicas, fmt::format("{} pods", share.pods));
  }
  finding.related(share.demand.node, "what each of them wants")
      .help("the others stay Pending: start fewer, add nodes, or let two pods share a node");
  return true;
}

}  // namespace gpulint::rules::gpu_demand_exceeds_nodes
