#include "compiler/engine/rule.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "compiler/edit/edits.h"
#include "compiler/schedule/gates/gates.h"
#include "compiler/schedule/gpu_relation.h"
#include "compiler/schedule/placement_analysis.h"
#include "compiler/schedule/tolerate.h"
#include "rules/support/obstacles.h"

namespace gpulint::rules::disabled_knative_feature {
namespace {

/// Whether the pod selects a node with accelerators, or tolerates a taint of one.
[[nodiscard]] bool is_for_accelerators(const Corpus& corpus, const PodSpec& pod) {
  if (corpus.placement == nullptr || !corpus.placement->nodes) return false;
  const KnownNodes& nodes = *corpus.placement->nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes.has_accelerators(i) != Ternary::yes) continue;
    const PreparedNode& node = nodes.placement().classes()[i].node;
    const bool is_selected = std::ranges::any_of(pod.node_selector, [&](const LabelEntry& entry) {
      return matches(entry, node.labels) == Ternary::yes;
    });
    const bool is_tolerated = std::ranges::any_of(node.pool->taints, [&](const Taint& taint) {
      return tolerated(pod.tolerations, taint) == Ternary::yes;
    });
    if (is_selected || is_tolerated) return true;
  }
  return false;
}

void report_with_fix(const Corpus& corpus, Reporter& reporter, const Obstacle& obstacle,
                     Node flags) {
  const std::string_view flag = knative_flag_of(obstacle.demand.key().text());
  const Node value = flags.get(flag);
  report(reporter, obstacle)
      .fix(Safety::unsafe, fmt::format("set `{}: enabled`", flag),
           value ? replace_string(*corpus.sources, value, "enabled")
                 : insert_entry(*corpus.sources, flags, flag, "enabled"));
}

void check(const Corpus& corpus, Reporter& reporter) {
  const auto settings = find_knative_flags(corpus);
  if (!settings) return;
  const FindObstacles gate = make_knative_gate(corpus);
  for (const Workload& workload : corpus.workloads) {
    const bool concerns_gpus = gpu_relation(workload.pod) != GpuRelation::none ||
                               is_for_accelerators(corpus, workload.pod);
    if (!concerns_gpus) continue;
    for (const Obstacle& obstacle : gate(workload)) {
      report_with_fix(corpus, reporter, obstacle, settings->flags);
    }
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "operators", .fix = FixAvailability::unsafe},
                                 .check = check};

}  // namespace gpulint::rules::disabled_knative_feature
