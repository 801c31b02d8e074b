#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/base/counted.h"
#include "compiler/model/declared_kinds.h"
#include "compiler/model/pod_count.h"
#include "compiler/schedule/describe.h"
#include "compiler/schedule/gates/gates.h"
#include "compiler/schedule/gpu_capacity.h"
#include "compiler/schedule/known_nodes.h"
#include "compiler/schedule/placement_analysis.h"
#include "compiler/schedule/pod_anti_affinity.h"
#include "compiler/schedule/scheduler_queues.h"

namespace gpulint {
namespace {

/// Pods of one template that run at the same time.
struct PodDemand {
  const Workload* workload = nullptr;
  const PreparedPod* pod = nullptr;
  DeviceDemand demand;
  std::int64_t pods = 0;
  Node count;  ///< Where `pods` is written; null if it is a default.

  [[nodiscard]] std::int64_t devices() const { return pods * demand.amount; }
};

using PodDemands = std::vector<PodDemand>;

/// Pods that run at the same time.
struct PodGangs {
  std::vector<PodDemands> objects;   ///< Those of one object: replicas, workers of a job.
  std::vector<PodDemands> services;  ///< All services of the scope, by resource.
};

/// The pods that run at the same time; of a Volcano Job those of `minAvailable`.
[[nodiscard]] PodCount count_pods(const Workload& workload) {
  if (!is_volcano_task(workload)) return concurrent_pods(workload);
  const Node fewest = workload.object.at("spec", "minAvailable");
  return {pods_of_volcano_gang(workload), fewest ? fewest : concurrent_pods(workload).node};
}

[[nodiscard]] PodGangs find_gangs(const Placement& placement) {
  std::map<std::pair<const Document*, NodeIndex>, std::size_t> positions;
  PodGangs result;
  std::map<std::string, PodDemands> services_by_resource;
  for (std::size_t i = 0; i < placement.workloads().size(); ++i) {
    const Workload& workload = *placement.workloads()[i];
    const KindTraits traits = facts_of(workload).traits;
    if (!traits.gang && !is_volcano_task(workload)) continue;
    if (!is_placement_known(workload)) continue;
    const auto demand = device_demand(placement.pod(i));
    const PodCount count = count_pods(workload);
    if (!demand || count.pods.value_or(0) == 0) continue;
    const PodDemand share{&workload, &placement.pod(i), *demand, *count.pods, count.node};
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

[[nodiscard]] std::int64_t sum_devices(const PodDemands& shares) {
  std::int64_t devices = 0;
  for (const PodDemand& share : shares) devices += share.devices();
  return devices;
}

/// The most pods that the nodes which fit one of them can run; nullopt if the limit of a node is
/// unknown. Stops counting at `enough`.
[[nodiscard]] std::optional<std::int64_t> pod_capacity(const KnownNodes& nodes,
                                                       const PodDemands& shares,
                                                       std::int64_t enough) {
  std::int64_t places = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const bool takes = std::ranges::any_of(
        shares, [&](const PodDemand& share) { return nodes.fits(*share.pod, i) != Ternary::no; });
    if (!takes) continue;
    for (const NodePool* pool : nodes.members(i)) {
      const bool is_node = pool->source == NodePool::Source::node;
      const auto pods = is_node ? device_amount(nodes, i, *pool, "pods") : std::nullopt;
      if (!pods) return std::nullopt;
      places += *pods * pool->equal_nodes;
      if (places >= enough) return places;
    }
  }
  return places;
}

/// The resource on all nodes that fit one of the pods. nullopt if an amount is unknown, or if a pod
/// fits no node, which other rules report.
[[nodiscard]] std::optional<std::int64_t> offered(const KnownNodes& nodes,
                                                  const PodDemands& shares) {
  std::map<std::size_t, std::int64_t> devices;
  for (const PodDemand& share : shares) {
    bool fits = false;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (nodes.fits(*share.pod, i) == Ternary::no) continue;
      fits = true;
      if (devices.contains(i)) continue;
      for (const NodePool* pool : nodes.members(i)) {
        const auto amount = device_amount(nodes, i, *pool, share.demand.resource);
        if (!amount) return std::nullopt;
        devices[i] += *amount * pool->equal_nodes;
      }
    }
    if (!fits) return std::nullopt;
  }
  std::int64_t all = 0;
  for (const auto& [node_class, amount] : devices) all += amount;
  return all;
}

/// Pods that need a node each (by a required anti-affinity or a host port), and fewer nodes.
void compare_apart(const KnownNodes& nodes, const PodDemand& share, Obstacles& found) {
  const Node apart = keeps_apart(*share.workload);
  const auto count = apart && share.pods > 1 ? count_nodes_for(nodes, *share.pod) : std::nullopt;
  if (!count || share.pods <= *count) return;
  const bool is_one = *count == 1;
  Obstacle& obstacle = found.add(
      apart, "{} needs {} nodes because of `{}`, but only {} {} with `{}` {}",
      describe(*share.workload), share.pods,
      apart.key().text() == "topologyKey" ? "podAntiAffinity" : apart.key().text(), *count,
      is_one ? "node" : "nodes", share.demand.resource, is_one ? "matches" : "match");
  if (share.count) obstacle.related(share.count, label_pods(share.count, share.pods));
  obstacle.related(share.demand.node, "the request of each pod")
      .help(
          "start fewer pods, add nodes, or allow two pods on a node. Otherwise some pods stay "
          "Pending")
      .assume();
}

/// Where the request of the pods is written; for a shared template, where it is used.
[[nodiscard]] Node place_of(const PodDemand& share) {
  return share.workload->use ? share.workload->use : share.demand.node;
}

/// A declared pool, and the line with its maximum.
struct LimitedPool {
  const NodePool* pool = nullptr;
  bool is_of_processors = false;  ///< A limit of `cpu`.
};

/// Adds the lines with the maximum of declared pools. Returns these pools.
[[nodiscard]] std::vector<LimitedPool> relate_limits(const KnownNodes& nodes,
                                                     const PodDemand& share, Obstacle& obstacle) {
  std::vector<LimitedPool> limited;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes.fits(*share.pod, i) == Ternary::no) continue;
    for (const NodePool* pool : nodes.members(i)) {
      const std::string& resource = share.demand.resource;
      const Node limit = device_amount_node(*pool, resource);
      if (!limit) continue;
      const bool is_of_processors = limit.key().text() == "cpu";
      obstacle.related(limit,
                       fmt::format("with this {}limit, {} can have at most {} `{}`",
                                   is_of_processors ? "CPU " : "", describe(*pool),
                                   device_amount(nodes, i, *pool, resource).value_or(0), resource));
      limited.push_back({pool, is_of_processors});
    }
  }
  return limited;
}

[[nodiscard]] std::int64_t count_pods_of(const PodDemands& shares) {
  std::int64_t pods = 0;
  for (const PodDemand& share : shares) pods += share.pods;
  return pods;
}

/// Other workloads that an obstacle names: each of them has a copy of it.
constexpr std::size_t most_places = 20;

void add_devices(const KnownNodes& nodes, const PodDemands& shares, std::int64_t all,
                 Obstacles& found) {
  // The largest, then by name, independent of the order in the file.
  const PodDemand& first = *std::ranges::min_element(shares, {}, [](const PodDemand& share) {
    return std::pair(-share.devices(), share.workload->display_name());
  });
  Obstacle& obstacle =
      found
          .add(place_of(first),
               "{} pods together request {} `{}`, but the matching nodes have only {} in total",
               count_pods_of(shares), sum_devices(shares), first.demand.resource, all)
          .assume();
  if (first.workload->use) obstacle.related(first.demand.node, "the request of each pod");
  const Node count = first.count;
  const bool is_group = count && count.key().text() == "size";
  if (is_group || (count && first.pods > 1)) {
    obstacle.related(count,
                     is_group ? "the number of pods in each group" : label_pods(count, first.pods));
  }
  std::size_t left = shares.size() - 1;
  for (const PodDemand& share : shares) {
    if (&share == &first) continue;
    --left;
    const bool is_last = left > 0 && shares.size() - 1 - left == most_places;
    obstacle.related(place_of(share),
                     fmt::format("{} of {} request{} {} `{}`{}",
                                 count_text(static_cast<std::size_t>(share.pods), "pod"),
                                 describe(*share.workload), share.pods == 1 ? "s" : "",
                                 share.devices(), share.demand.resource,
                                 is_last ? fmt::format(", and {} more workload{} GPUs", left,
                                                       left == 1 ? " requests" : "s request")
                                         : ""));
    if (is_last) break;
  }
  const std::vector<LimitedPool> limited = relate_limits(nodes, first, obstacle);
  if (limited.empty()) {
    obstacle.help(
        "request fewer devices, or add nodes. If a node pool can create more nodes, add its "
        "manifest to the checked files");
  } else {
    const bool is_one = limited.size() == 1;
    obstacle.help(
        "request fewer devices, raise the {}limit of {}, or add nodes. Otherwise some pods stay "
        "Pending",
        is_one && limited.front().is_of_processors ? "CPU " : "",
        is_one ? describe(*limited.front().pool) : "a pool");
  }
}

/// Enough devices, but nodes that cannot run as many pods: if devices are shared, or if a machine
/// has few addresses.
void compare_pods(const KnownNodes& nodes, const PodDemands& shares, Obstacles& found) {
  const std::int64_t pods = count_pods_of(shares);
  const auto places = pod_capacity(nodes, shares, pods);
  if (!places || pods <= *places) return;
  const PodDemand& first = shares.front();
  Obstacle& obstacle = found.add(place_of(first),
                                 "{} pods request `{}`, but the matching nodes can run only {} "
                                 "pods in total",
                                 pods, first.demand.resource, *places);
  if (first.count) obstacle.related(first.count, label_pods(first.count, first.pods));
  obstacle
      .help(
          "start fewer pods, or add nodes. Otherwise some pods stay Pending. `allocatable.pods` "
          "is the maximum for each node, including DaemonSet pods")
      .assume();
}

void compare_together(const KnownNodes& nodes, const PodDemands& shares, Obstacles& found) {
  const std::string& resource = shares.front().demand.resource;
  const bool is_one_kind = std::ranges::all_of(
      shares, [&](const PodDemand& share) { return share.demand.resource == resource; });
  const auto all = is_one_kind ? offered(nodes, shares) : std::nullopt;
  if (!all) return;
  if (sum_devices(shares) > *all) return add_devices(nodes, shares, *all, found);
  compare_pods(nodes, shares, found);
}

[[nodiscard]] Crowd crowd_of(const PodDemands& shares, std::vector<Obstacle> obstacles) {
  Crowd crowd{{}, std::move(obstacles)};
  for (const PodDemand& share : shares) crowd.workloads.push_back(share.workload);
  return crowd;
}

}  // namespace

std::vector<Crowd> find_crowds(const ScopeModel& model, const PlacementAnalysis* placement) {
  std::vector<Crowd> crowds;
  if (placement == nullptr || !placement->nodes) return crowds;
  if (!are_nodes_fixed(model)) return crowds;
  const KnownNodes& nodes = *placement->nodes;
  const PodGangs gangs = find_gangs(nodes.placement());
  const auto add = [&](const PodDemands& shares, auto compare) {
    Obstacles found(Gate::capacity);
    compare(found);
    std::vector<Obstacle> obstacles = std::move(found).take();
    const bool is_crowded = !obstacles.empty();
    if (is_crowded) crowds.push_back(crowd_of(shares, std::move(obstacles)));
    return is_crowded;
  };
  const auto add_together = [&](const PodDemands& shares) {
    return add(shares, [&](Obstacles& found) { compare_together(nodes, shares, found); });
  };
  for (const PodDemands& shares : gangs.objects) {
    if (add_together(shares)) continue;
    for (const PodDemand& share : shares) {
      if (add({share}, [&](Obstacles& found) { compare_apart(nodes, share, found); })) break;
    }
  }
  if (!crowds.empty()) return crowds;  // the sum of services follows from these
  for (const PodDemands& shares : gangs.services) {
    if (shares.size() > 1) add_together(shares);
  }
  return crowds;
}

FindObstacles make_capacity_gate(const ScopeModel& model, const PlacementAnalysis* placement) {
  std::map<const Workload*, std::vector<Obstacle>> found;
  for (const Crowd& crowd : find_crowds(model, placement)) {
    for (const Workload* workload : crowd.workloads) found.try_emplace(workload, crowd.obstacles);
  }
  return look_up(std::move(found));
}

}  // namespace gpulint
