#include "compiler/engine/rule.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "compiler/engine/reporter.h"
#include "compiler/ir/read.h"
#include "compiler/schedule/pool_machines.h"
#include "rules/support/causes.h"
#include "rules/support/dra_queries.h"
#include "rules/unallocatable-claims/refusals.h"

namespace gpulint::rules::unallocatable_claims {
namespace {

/// `the claims a and b`, "`nvidia.com/gpu`" …
[[nodiscard]] std::string describe_culprits(const std::vector<Culprit>& culprits) {
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

/// What the first claim's object asks for, where it stands elsewhere: how many, else its request.
[[nodiscard]] Node wanted_of(const ClaimIndex& claims, const PodSpec& pod, const Culprit& first) {
  for (const Node source : pod.node.get("resourceClaims").items()) {
    if (first.is_resource || !read_string(source, "name").equals(first.name)) continue;
    const KubernetesObject* const object = claims.find_source(source);
    if (object == nullptr) return {};
    const Node spec = object->node.get("spec");
    const Node inner = spec.get("spec");
    const std::vector<Node> requests = (inner ? inner : spec).at("devices", "requests").items();
    if (requests.empty()) return {};
    const Node exactly = requests.front().get("exactly");
    const Node count = (exactly ? exactly : requests.front()).get("count");
    return count ? count : requests.front().get("name");
  }
  return {};
}

void report(Reporter& reporter, const Refusals& refusals, Node wanted, bool is_likely) {
  const Culprit& first = refusals.culprits.front();
  const std::size_t count = refusals.count;
  const std::string_view noun = is_likely ? "pool" : "node";
  Finding finding = reporter.report_span(
      first.is_resource ? first.node.span() : first.node.key_span(), first.node,
      "no {} can serve {} ({} {}{} tried)",
      is_likely ? "pool's machine, by what is known of it," : "node with devices",
      describe_culprits(refusals.culprits), count, noun, count == 1 ? "" : "s");
  const NodePool& pool = *refusals.first;
  const bool is_count = wanted && wanted.key() && wanted.key().text() == "count";
  if (wanted) {
    finding.related(wanted, is_count ? "the claim's `count`" : "what the claim asks for");
  }
  finding
      .related(is_likely ? machines_node(pool) : pool.node.at("metadata", "name"),
               fmt::format("one of them has {}", refusals.devices))
      .help("{}", refusals.culprits.size() > 1
                      ? "each fits by itself, all of them together do not"
                      : "ask for less, or for other devices: a claim's are of one node");
}

void check(const Corpus& corpus, Reporter& reporter) {
  const bool is_claimed = std::ranges::any_of(corpus.workloads, [](const Workload& workload) {
    return !workload.pod.resource_claims.empty();
  });
  const bool has_slices = std::ranges::any_of(corpus.objects, [](const KubernetesObject& each) {
    return each.kind.equals("ResourceSlice");
  });
  if (corpus.workloads.empty() || (!is_claimed && !has_slices)) return;
  const Ground ground(corpus);
  const ClaimIndex index(corpus);
  for (const Workload& workload : corpus.workloads) {
    const PodClaims claims = ground.claims_of(workload);
    if (claims.is_empty()) continue;
    const auto refusals = ground.refusals_of(claims);
    if (refusals) {
      const Node wanted = wanted_of(index, workload.pod, refusals->culprits.front());
      report(reporter, *refusals, wanted, ground.is_likely());
    } else {
      check_closed(corpus, reporter, ground, claims, workload);
    }
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "operators", .severity = Severity::warning},
                                 .check = check};

}  // namespace gpulint::rules::unallocatable_claims
