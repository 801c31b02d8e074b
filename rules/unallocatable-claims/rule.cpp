#include "compiler/engine/rule.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "compiler/engine/reporter.h"
#include "compiler/schedule/placement.h"
#include "compiler/schedule/pod_claims.h"

namespace gpulint::rules::unallocatable_claims {
namespace {

/// The nodes that have devices at all, each with what it says of the pod.
struct Refusals {
  std::size_t count = 0;
  std::vector<std::string> culprits;  ///< Of the first.
  Node node;
};

/// nullopt where some node may serve the claims.
[[nodiscard]] std::optional<Refusals> refusals_of(const PodClaims& claims, const Cluster& cluster) {
  Refusals refusals;
  for (const NodePool& pool : cluster.pools) {
    const PreparedNode node(pool);
    const NodeDevices devices(node, claims.inventory());
    const bool is_node = pool.source == NodePool::Source::node;
    // Whether devices may yet come to it is not asked: others have them today.
    if (is_node && !devices.pools.is_open && devices.pools.pools.empty()) continue;
    if (claims.fits(devices) != Ternary::no) return std::nullopt;
    if (refusals.count == 0) refusals = {0, claims.culprits(devices), pool.node};
    ++refusals.count;
  }
  if (refusals.count == 0) return std::nullopt;
  return refusals;
}

void check(const Corpus& corpus, Reporter& reporter) {
  std::shared_ptr<const dra::Inventory> inventory;
  for (const Workload& workload : corpus.workloads) {
    if (workload.pod.resource_claims.empty()) continue;
    if (inventory == nullptr) inventory = read_inventory(corpus.objects);
    if (inventory->slices().empty()) return;
    const PodClaims claims(workload, corpus.objects, inventory);
    const auto refusals = refusals_of(claims, corpus.cluster);
    if (!refusals) continue;
    const bool compete = refusals->culprits.size() > 1;
    reporter
        .report_key(claims.node(), "no node with devices can serve the claim{} {} ({} {} tried)",
                    compete ? "s" : "", fmt::join(refusals->culprits, " and "), refusals->count,
                    refusals->count == 1 ? "node" : "nodes")
        .related(refusals->node.at("metadata", "name"), "one of them")
        .help("{}", compete ? "each fits by itself, all of them together do not"
                            : "ask for less, or for other devices");
  }
}

}  // namespace

extern constinit const Rule rule;
constinit const Rule rule{
    .info = {.id = "unallocatable-claims",
             .category = "operators",
             .summary = "No node that is known has devices for all resource claims of a pod.",
             .severity = Severity::warning,
             .fix = FixAvailability::none},
    .check = check};

}  // namespace gpulint::rules::unallocatable_claims
