#include "rules/unallocatable-claims/refusals.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "compiler/model/dra/constraints.h"
#include "compiler/schedule/placement_analysis.h"
#include "rules/support/causes.h"

namespace gpulint::rules::unallocatable_claims {
namespace {

[[nodiscard]] std::string describe(const dra::Pools& pools) {
  std::size_t count = 0;
  std::set<std::string> products;
  for (const dra::Pool& pool : pools.pools) {
    for (const dra::Slice* slice : pool.slices) {
      for (const dra::Device& device : slice->devices) {
        const auto* product = dra::find_attribute(device, "productName");
        const auto* name = product == nullptr ? nullptr : std::get_if<std::string>(product);
        products.insert(name == nullptr ? std::string() : *name);
        ++count;
      }
    }
  }
  const bool is_one = products.size() == 1 && !products.begin()->empty();
  return is_one ? fmt::format("{} × {}", count, *products.begin())
                : fmt::format("{} device{}", count, count == 1 ? "" : "s");
}

/// The class of each known node.
[[nodiscard]] std::unordered_map<const NodePool*, std::size_t> classes_of(const Corpus& corpus) {
  std::unordered_map<const NodePool*, std::size_t> classes;
  if (corpus.placement == nullptr || !corpus.placement->nodes) return classes;
  const KnownNodes& known = *corpus.placement->nodes;
  for (std::size_t i = 0; i < known.size(); ++i) {
    for (const NodePool* pool : known.members(i)) classes.emplace(pool, i);
  }
  return classes;
}

void report_closed(Reporter& reporter, const Workload& workload, const ClosedNode& closed) {
  const Node claims = workload.pod.node.get("resourceClaims");
  const Reason& reason = closed.reasons.front();
  const bool is_amount = reason.kind == ReasonKind::insufficient_resource;
  Finding finding =
      reporter.report_key(claims, "no node with devices for these claims takes the pod: {}{}",
                          is_amount ? "" : "node(s) ", scheduler_text(reason));
  finding
      .related(reason.pool_node ? reason.pool_node : closed.pool->node.at("metadata", "name"),
               fmt::format("{} would serve them", rules::describe(*closed.pool)))
      .help("{}", reason.kind == ReasonKind::untolerated_taint
                      ? "tolerate the taint: claims bind the pod to nodes that have the devices"
                      : "claims bind the pod to nodes that have the devices");
}

/// Whether another rule says of this pod that no node takes it.
[[nodiscard]] bool is_told_of(const PlacementAnalysis& placement, const Workload& workload) {
  return std::ranges::any_of(placement.causes, [&](const Cause& cause) {
    return std::ranges::find(cause.workloads, &workload) != cause.workloads.end();
  });
}

}  // namespace

Ground::Ground(const Corpus& corpus)
    : corpus_(&corpus), sources_(corpus.objects), inventory_(read_inventory(corpus.objects)) {
  if (inventory_->slices().empty()) {
    likely_ = find_likely_nodes(corpus.cluster, corpus.objects);
    inventory_ = likely_.inventory;
    for (const NodePool& node : likely_.nodes) nodes_.emplace_back(node, *inventory_);
  } else {
    for (const NodePool& pool : corpus.cluster.pools) nodes_.emplace_back(pool, *inventory_);
    classes_ = classes_of(corpus);
  }
}

PodClaims Ground::claims_of(const Workload& workload) const {
  return {workload, compute_requests(workload.pod), sources_, inventory_};
}

std::optional<Refusals> Ground::refusals_of(const PodClaims& claims) const {
  Refusals refusals;
  for (const auto& [node, devices] : nodes_) {
    const NodePool& pool = *node.pool;
    const bool is_node = pool.source == NodePool::Source::node;
    const bool is_bare = is_node && !devices.pools.is_open && devices.pools.pools.empty();
    const Ternary fits = claims.fits(devices);
    // Whether devices may yet come to it is not asked: others have them today.
    if (is_bare && fits == Ternary::unknown) continue;
    if (fits != Ternary::no) return std::nullopt;
    if (refusals.count == 0) {
      refusals = {0, claims.culprits(devices), &pool, describe(devices.pools)};
    }
    ++refusals.count;
  }
  if (refusals.count == 0) return std::nullopt;
  return refusals;
}

std::optional<ClosedNode> Ground::closed_by_others(const PodClaims& claims,
                                                   const PreparedPod& pod) const {
  if (is_likely() || pod.spec->resource_claims.empty()) return std::nullopt;
  std::optional<ClosedNode> first;
  for (const auto& [node, devices] : nodes_) {
    const bool is_node = node.pool->source == NodePool::Source::node;
    const bool is_bare = is_node && !devices.pools.is_open && devices.pools.pools.empty();
    const Ternary served = claims.fits(devices);
    // As above: who has no devices today serves no claim.
    if (served == Ternary::no || (is_bare && served == Ternary::unknown)) continue;
    const auto found = classes_.find(node.pool);
    if (!is_node || found == classes_.end()) return std::nullopt;
    std::vector<Reason> reasons = corpus_->placement->nodes->assess(pod, found->second).reasons;
    std::erase_if(reasons, [](const Reason& reason) {
      // What classes back is served by the devices.
      const bool is_extended = reason.detail.find('/') != std::string::npos;
      return reason.holds != Ternary::yes ||
             (reason.kind == ReasonKind::insufficient_resource && is_extended);
    });
    if (reasons.empty()) return std::nullopt;
    if (!first) first = ClosedNode{node.pool, std::move(reasons)};
  }
  return first;
}

void check_closed(const Corpus& corpus, Reporter& reporter, const Ground& ground,
                  const PodClaims& claims, const Workload& workload) {
  if (corpus.placement == nullptr || !corpus.placement->nodes) return;
  if (!is_placement_known(workload) || is_told_of(*corpus.placement, workload)) return;
  const Placement& placement = corpus.placement->nodes->placement();
  const auto workloads = placement.workloads();
  const auto found = std::ranges::find(workloads, &workload);
  if (found == workloads.end()) return;
  const auto index = static_cast<std::size_t>(found - workloads.begin());
  const auto closed = ground.closed_by_others(claims, placement.pod(index));
  if (closed) report_closed(reporter, workload, *closed);
}

}  // namespace gpulint::rules::unallocatable_claims
