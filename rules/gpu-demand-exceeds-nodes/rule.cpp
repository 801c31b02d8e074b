#include "compiler/engine/rule.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/model/declared_kinds.h"
#include "compiler/model/pod_count.h"
#include "compiler/schedule/gpu_capacity.h"
#include "compiler/schedule/known_nodes.h"
#include "compiler/schedule/placement_analysis.h"
#include "compiler/schedule/scheduler_queues.h"
#include "rules/support/placement_causes.h"
#include "rules/support/pod_anti_affinity.h"

namespace gpulint::rules::gpu_demand_exceeds_nodes {
namespace {

/// Pods of one template that run side by side.
struct PodDemand {
  const Workload* workload = nullptr;
  const PreparedPod* pod = nullptr;
  DeviceDemand demand;
  std::int64_t pods = 0;
  Node count;  ///< Where `pods` is written; nothing where it is not.

  [[nodiscard]] std::int64_t devices() const { return pods * demand.amount; }
};

using PodDemands = std::vector<PodDemand>;

/// Pods that run at the same time.
struct PodGangs {
  std::vector<PodDemands> objects;   ///< Those of one object: replicas, workers of a job.
  std::vector<PodDemands> services;  ///< All services of the scope, by the resource that they want.
};

/// A Volcano job counts in words of its own.
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

/// How many pods the nodes that may take one of them run at most, whatever they want; nothing where
/// one of them does not say. Counts no further than to `enough`.
[[nodiscard]] std::optional<std::int64_t> pod_capacity(const KnownNodes& nodes,
                                                       const PodDemands& shares,
                                                       std::int64_t enough) {
  std::int64_t places = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const bool takes = std::ranges::any_of(
        shares, [&](const PodDemand& share) { return nodes.fits(*share.pod, i) != Ternary::no; });
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

/// The resource on all nodes that may take one of the pods; nothing where an amount is open, or
/// where some pod fits nowhere, which is for others to say.
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
        devices[i] += *amount;
      }
    }
    if (!fits) return std::nullopt;
  }
  std::int64_t all = 0;
  for (const auto& [node_class, amount] : devices) all += amount;
  return all;
}

/// Pods that want a node each (by a required anti-affinity or a port of the host), and fewer nodes
/// that may take them. Whether there was something to report.
bool check_apart(const KnownNodes& nodes, const PodDemand& share, Reporter& reporter) {
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

/// What says how much the pods of a share want: of a template that several share, its use.
[[nodiscard]] Node place_of(const PodDemand& share) {
  return share.workload->use ? share.workload->use : share.demand.node;
}

/// The lines that keep declared pools from growing.
void relate_limits(const KnownNodes& nodes, const PodDemand& share, Finding& finding) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes.fits(*share.pod, i) == Ternary::no) continue;
    for (const NodePool* pool : nodes.members(i)) {
      const Node limit = device_amount_node(*pool, share.demand.resource);
      if (limit) finding.related(limit, fmt::format("the most of {}", describe(*pool)));
    }
  }
}

void report(const KnownNodes& nodes, const PodDemands& shares, std::int64_t all,
            Reporter& reporter) {
  // However the file is ordered: the largest, then by name.
  const PodDemand& first = *std::ranges::min_element(shares, {}, [](const PodDemand& share) {
    return std::pair(-share.devices(), share.workload->display_name());
  });
  std::int64_t pods = 0;
  for (const PodDemand& share : shares) pods += share.pods;
  Finding finding = reporter.report(
      place_of(first), "{} pods want {} `{}` together; all nodes that take them have {} in all",
      pods, sum_devices(shares), first.demand.resource, all);
  if (first.workload->use) finding.related(first.demand.node, "what each of them wants");
  const Node count = first.count;
  const bool is_group = count && count.key().text() == "size";
  if (is_group || (count && first.pods > 1)) {
    finding.related(count, is_group ? "the `size` of a group" : fmt::format("{} pods", first.pods));
  }
  for (const PodDemand& share : shares) {
    if (&share == &first) continue;
    finding.related(place_of(share),
                    fmt::format("{} for {}", share.devices(), describe(*share.workload)));
  }
  relate_limits(nodes, first, finding);
  finding.help(
      "they run at the same time: ask for less, or add nodes; a pool that grows is told by its own "
      "manifest");
}

/// Enough devices, yet too few pods at a time: with shared devices, and where a machine has few
/// addresses.
bool check_pods(const KnownNodes& nodes, const PodDemands& shares, Reporter& reporter) {
  std::int64_t pods = 0;
  for (const PodDemand& share : shares) pods += share.pods;
  const auto places = pod_capacity(nodes, shares, pods);
  if (!places || pods <= *places) return false;
  const PodDemand& first = shares.front();
  Finding finding = reporter.report(
      place_of(first), "{} pods want `{}`; all nodes that take them run {} pods at most", pods,
      first.demand.resource, *places);
  const Node count = first.count;
  if (count) finding.related(count, fmt::format("{} pods", first.pods));
  finding.help("`pods` of a node's `allocatable` counts all pods, those of DaemonSets, too");
  return true;
}

/// Whether there was something to report.
bool check_together(const KnownNodes& nodes, const PodDemands& shares, Reporter& reporter) {
  const std::string& resource = shares.front().demand.resource;
  const bool is_one_kind = std::ranges::all_of(
      shares, [&](const PodDemand& share) { return share.demand.resource == resource; });
  const auto all = is_one_kind ? offered(nodes, shares) : std::nullopt;
  if (!all) return false;
  if (sum_devices(shares) <= *all) return check_pods(nodes, shares, reporter);
  report(nodes, shares, *all, reporter);
  return true;
}

void check(const Corpus& corpus, Reporter& reporter) {
  if (corpus.placement == nullptr || !corpus.placement->nodes) return;
  if (!are_nodes_fixed(corpus.cluster)) return;
  const KnownNodes& nodes = *corpus.placement->nodes;
  const PodGangs found = find_gangs(nodes.placement());
  bool is_told = false;
  for (const PodDemands& shares : found.objects) {
    bool is_told_here = check_together(nodes, shares, reporter);
    for (const PodDemand& share : shares) {
      if (!is_told_here) is_told_here = check_apart(nodes, share, reporter);
    }
    is_told = is_told || is_told_here;
  }
  if (is_told) return;  // first things first
  for (const PodDemands& shares : found.services) {
    if (shares.size() > 1) check_together(nodes, shares, reporter);
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "placement", .severity = Severity::warning},
                                 .check = check};

}  // namespace gpulint::rules::gpu_demand_exceeds_nodes
