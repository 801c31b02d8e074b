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
  std::vector<Culprit> culprits;  ///< Of the first.
  Node node;
};

/// nullopt where some node may serve the claims.
[[nodiscard]] std::optional<Refusals> refusals_of(const PodClaims& claims, const Cluster& cluster) {
  Refusals refusals;
  for (const NodePool& pool : cluster.pools) {
    const PreparedNode node(pool);
    const NodeDevices devices(node, claims.inventory());
    const bool is_node = pool.source == NodePool::Source::node;
    const bool is_bare = is_node && !devices.pools.is_open && devices.pools.pools.empty();
    const Ternary fits = claims.fits(devices);
    // Whether devices may yet come to it is not asked: others have them today.
    if (is_bare && fits == Ternary::unknown) continue;
    if (fits != Ternary::no) return std::nullopt;
    if (refusals.count == 0) refusals = {0, claims.culprits(devices), pool.node};
    ++refusals.count;
  }
  if (refusals.count == 0) return std::nullopt;
  return refusals;
}

/// `the claims a and b`, "`nvidia.com/gpu`" …
[[nodiscard]] std::string describe(const std::vector<Culprit>& culprits) {
  std::vector<std::string> claims;
  std::vector<std::string> resources;
  for (const Culprit& culprit : culprits) {
    if (culprit.is_resource) {
      resources.push_back(fmt::format("`{}`", culprit.name));
    } else {
      claims.push_back(culprit.name);
    }
  }
  const bool is_one = claims.size() == 1;
  if (claims.empty()) return fmt::format("{}", fmt::join(resources, " and "));
  std::string text = fmt::format("the claim{} {}", is_one ? "" : "s", fmt::join(claims, " and "));
  if (!resources.empty()) text += fmt::format(" and {}", fmt::join(resources, " and "));
  return text;
}

void report(Reporter& reporter, const Refusals& refusals) {
  const Culprit& first = refusals.culprits.front();
  Finding finding = reporter.report_span(
      first.is_resource ? first.node.span() : first.node.key_span(), first.node,
      "no node with devices can serve {} ({} {} tried)", describe(refusals.culprits),
      refusals.count, refusals.count == 1 ? "node" : "nodes");
  finding.related(refusals.node.at("metadata", "name"), "one of them")
      .help("{}", refusals.culprits.size() > 1 ? "each fits by itself, all of them together do not"
                                               : "ask for less, or for other devices");
}

void check(const Corpus& corpus, Reporter& reporter) {
  if (corpus.workloads.empty()) return;
  const auto inventory = read_inventory(corpus.objects);
  if (inventory->slices().empty()) return;
  for (const Workload& workload : corpus.workloads) {
    const PodClaims claims(workload, compute_requests(workload.pod), corpus.objects, inventory);
    if (claims.is_empty()) continue;
    const auto refusals = refusals_of(claims, corpus.cluster);
    if (refusals) report(reporter, *refusals);
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
