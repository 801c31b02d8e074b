#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/engine/corpus.h"
#include "compiler/engine/reporter.h"
#include "compiler/schedule/describe.h"
#include "compiler/schedule/placement_analysis.h"

namespace gpulint::rules {

// How the placement rules name workloads and nodes.

/// The causes of one kind, in order; none if the scope's placement was not analysed.
template <class What>
[[nodiscard]] std::vector<const Cause*> causes_of(const Corpus& corpus) {
  std::vector<const Cause*> causes;
  if (corpus.placement == nullptr) return causes;
  for (const Cause& cause : corpus.placement->causes) {
    if (std::holds_alternative<What>(cause.what)) causes.push_back(&cause);
  }
  return causes;
}

using gpulint::describe;
/// The first of the cause's workloads. Messages do not name the others, so they do not change with
/// their number.
[[nodiscard]] std::string describe(const Cause& cause);

/// Whether a place is written outside of the workload's object: in the ServingRuntime that an
/// InferenceService uses, or in a LimitRange.
[[nodiscard]] bool is_outside(const Workload& workload, Node demand, Span where);
/// If the demand is in a LimitRange: that containers receive it.
void relate_limit_range(Finding& finding, Node demand);
/// Names the workload, and says why a demand outside of it applies. `text`: about the workload.
void relate_outside(Finding& finding, const Workload& workload, Node demand, std::string text);

/// Adds the workloads, each at its place. If all of them are assumed tasks, the help says so and
/// the finding is a warning at most: call it last. `what`: says of each workload what it does.
void relate_workloads(Finding& finding, const std::vector<const Workload*>& workloads,
                      std::string_view what = "fits no node");
void relate_workloads(Finding& finding, const Cause& cause);

/// `key=value:effect`, without `=` if the value is empty.
[[nodiscard]] std::string taint_text(const UntoleratedTaint& taint);
/// `key=value`, `key In (a, b)`, `key Gt 4`, `key Exists`.
[[nodiscard]] std::string requirement_text(const UnmatchedRequirement& unmatched);

/// Whether ExtendedResourceToleration would add the toleration, and the cluster is declared without
/// it or its plugins are unknown. relies-on-extended-resource-toleration then reports the taint.
[[nodiscard]] bool relies_on_admission(const Corpus& corpus, const UntoleratedTaint& taint);

}  // namespace gpulint::rules
