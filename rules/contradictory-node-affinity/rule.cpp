#include "compiler/engine/rule.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/schedule/contradiction.h"
#include "compiler/schedule/gpu_relation.h"
#include "rules/support/placement_causes.h"

namespace gpulint::rules::contradictory_node_affinity {
namespace {

[[nodiscard]] bool concerns_gpus(const Workload& workload) {
  return workload.origin == Workload::Origin::compiled ||
         gpu_relation(workload.pod) != GpuRelation::none;
}

struct Found {
  Contradiction what;
  std::vector<const Workload*> workloads;
};

void report(const Found& found, Reporter& reporter) {
  const Contradiction& what = found.what;
  const Workload& workload = *found.workloads.front();
  const Node place = what.second_node ? what.second_node : what.first_node;
  Finding finding = reporter.report(place ? place : workload.object,
                                    "{} requires `{} {}` and `{}`, but no node can match both",
                                    describe(workload), what.key, what.first, what.second);
  if (what.first_node != place) {
    finding.related(what.first_node,
                    fmt::format("the pod also requires `{} {}`", what.key, what.first));
  }
  finding.help(
      "remove one of the two requirements. If the requirements are alternatives, write each one "
      "as its own entry of `nodeSelectorTerms`");
  relate_workloads(finding, found.workloads);
}

void check(const Corpus& corpus, Reporter& reporter) {
  std::vector<Found> all;
  std::map<std::tuple<Span, Span, std::string>, std::size_t> index;
  const auto add = [&](const Workload& workload) {
    if (!concerns_gpus(workload)) return;
    std::optional<Contradiction> found = find_contradiction(workload.pod);
    if (!found) return;
    const auto key = std::tuple(found->first_node.span(), found->second_node.span(), found->key);
    const auto [at, is_new] = index.try_emplace(key, all.size());
    if (is_new) all.push_back({std::move(*found), {}});
    all[at->second].workloads.push_back(&workload);
  };
  std::ranges::for_each(corpus.workloads, add);
  std::ranges::for_each(corpus.fragments, add);
  std::ranges::for_each(corpus.compiled, add);
  for (const Found& found : all) report(found, reporter);
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "placement"}, .check = check};

}  // namespace gpulint::rules::contradictory_node_affinity
