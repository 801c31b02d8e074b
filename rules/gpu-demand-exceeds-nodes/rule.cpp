#include "compiler/engine/rule.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "compiler/schedule/gpu_capacity.h"
#include "compiler/schedule/placement_analysis.h"
#include "rules/gpu-demand-exceeds-nodes/shares.h"
#include "rules/support/causes.h"

namespace gpulint::rules::gpu_demand_exceeds_nodes {
namespace {

/// What says how much the pods of a share want: of a template that several share, its use.
[[nodiscard]] Node place_of(const Share& share) {
  return share.workload->use ? share.workload->use : share.demand.node;
}

/// The lines that keep declared pools from growing.
void relate_limits(const KnownNodes& nodes, const Share& share, Finding& finding) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes.fits(*share.pod, i) == Ternary::no) continue;
    for (const NodePool* pool : nodes.members(i)) {
      const Node limit = device_amount_node(*pool, share.demand.resource);
      if (limit) finding.related(limit, fmt::format("the most of {}", describe(*pool)));
    }
  }
}

void report(const KnownNodes& nodes, const Shares& shares, std::int64_t all, Reporter& reporter) {
  // However the file is ordered: the largest, then by name.
  const Share& first = *std::ranges::min_element(shares, {}, [](const Share& share) {
    return std::pair(-share.devices(), share.workload->display_name());
  });
  std::int64_t pods = 0;
  for (const Share& share : shares) pods += share.pods;
  Finding finding = reporter.report(
      place_of(first), "{} pods want {} `{}` together; all nodes that take them have {} in all",
      pods, sum_devices(shares), first.demand.resource, all);
  if (first.workload->use) finding.related(first.demand.node, "what each of them wants");
  const Node count = first.count;
  const bool is_group = count && count.key().text() == "size";
  if (is_group || (count && first.pods > 1)) {
    finding.related(count, is_group ? "the `size` of a group" : fmt::format("{} pods", first.pods));
  }
  for (const Share& share : shares) {
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
bool check_pods(const KnownNodes& nodes, const Shares& shares, Reporter& reporter) {
  std::int64_t pods = 0;
  for (const Share& share : shares) pods += share.pods;
  const auto places = places_for_pods(nodes, shares, pods);
  if (!places || pods <= *places) return false;
  const Share& first = shares.front();
  Finding finding = reporter.report(
      place_of(first), "{} pods want `{}`; all nodes that take them run {} pods at most", pods,
      first.demand.resource, *places);
  const Node count = first.count;
  if (count) finding.related(count, fmt::format("{} pods", first.pods));
  finding.help("`pods` of a node's `allocatable` counts all pods, those of DaemonSets, too");
  return true;
}

/// Whether there was something to report.
bool check_together(const KnownNodes& nodes, const Shares& shares, Reporter& reporter) {
  const std::string& resource = shares.front().demand.resource;
  const bool is_one_kind = std::ranges::all_of(
      shares, [&](const Share& share) { return share.demand.resource == resource; });
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
  const Gatherings found = gather(nodes.placement());
  bool is_told = false;
  for (const Shares& shares : found.objects) {
    bool is_told_here = check_together(nodes, shares, reporter);
    for (const Share& share : shares) {
      if (!is_told_here) is_told_here = check_apart(nodes, share, reporter);
    }
    is_told = is_told || is_told_here;
  }
  if (is_told) return;  // first things first
  for (const Shares& shares : found.services) {
    if (shares.size() > 1) check_together(nodes, shares, reporter);
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "placement", .severity = Severity::warning},
                                 .check = check};

}  // namespace gpulint::rules::gpu_demand_exceeds_nodes
