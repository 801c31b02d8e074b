#include "rules/gpu-demand-exceeds-nodes/shares.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "compiler/model/facts/kubernetes_kinds.h"
#include "compiler/model/pod_count.h"
#include "compiler/schedule/placement_analysis.h"
#include "rules/support/apart.h"
#include "rules/support/causes.h"
#include "rules/support/scheduler_queues.h"

namespace gpulint::rules::gpu_demand_exceeds_nodes {
namespace {

/// A Volcano job counts in words of its own.
[[nodiscard]] PodCount count_pods(const Workload& workload) {
  if (!is_volcano_task(workload)) return concurrent_pods(workload);
  const Node fewest = workload.object.at("spec", "minAvailable");
  return {pods_of_volcano_gang(workload), fewest ? fewest : concurrent_pods(workload).node};
}

}  // namespace

Gatherings gather(const Placement& placement) {
  std::map<std::pair<const Document*, NodeIndex>, std::size_t> positions;
  Gatherings result;
  std::map<std::string, Shares> services_by_resource;
  for (std::size_t i = 0; i < placement.workloads().size(); ++i) {
    const Workload& workload = *placement.workloads()[i];
    const KindTraits traits = facts_of_kind(workload.kind.value_or("")).traits;
    if (!traits.gang && !is_volcano_task(workload)) continue;
    if (!is_placement_known(workload)) continue;
    const auto demand = device_demand(placement.pod(i));
    const PodCount count = count_pods(workload);
    if (!demand || count.pods.value_or(0) == 0) continue;
    const Share share{&workload, &placement.pod(i), *demand, *count.pods, count.node};
    const auto [at, is_new] = positions.try_emplace(
        {workload.object.document(), workload.object.index()}, result.objects.size());
    if (is_new) result.objects.emplace_back();
    result.objects[at->second].push_back(share);
    if (traits.service) services_by_resource[demand->resource].push_back(share);
  }
  for (auto& [resource, shares] : services_by_resource)
    result.services.push_back(std::move(shares));
  return result;
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
  if (share.count) {
    finding.related(share.count, fmt::format("{} pods", share.pods));
  }
  finding.related(share.demand.node, "what each of them wants")
      .help("the others stay Pending: start fewer, add nodes, or let two pods share a node");
  return true;
}

}  // namespace gpulint::rules::gpu_demand_exceeds_nodes
