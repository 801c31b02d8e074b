#pragma once

#include <string>
#include <vector>

#include "compiler/engine/reporter.h"
#include "compiler/model/corpus/corpus.h"
#include "compiler/schedule/placement_analysis.h"

namespace gpulint::rules {

// How the placement rules speak of workloads and nodes.

/// The causes of one kind, in order; none where the scope's placement was not analysed.
template <class What>
[[nodiscard]] std::vector<const Cause*> causes_of(const Corpus& corpus) {
  std::vector<const Cause*> causes;
  if (corpus.placement == nullptr) return causes;
  for (const Cause& cause : corpus.placement->causes) {
    if (std::holds_alternative<What>(cause.what)) causes.push_back(&cause);
  }
  return causes;
}

/// Pod `train`, RayCluster `ray` (worker/gpu), task `train`.
[[nodiscard]] std::string describe(const Workload& workload);
/// The first of the cause's workloads. A message says nothing of the others: it stays as it is
/// when their number changes.
[[nodiscard]] std::string describe(const Cause& cause);
/// node `gpu-a`, pool `a100`.
[[nodiscard]] std::string describe(const NodePool& pool);

/// Names the workloads, each at its place. Where no task is declared and all of them are assumed,
/// the finding says so and is a warning at most: call it last.
void relate_workloads(Finding& finding, const std::vector<const Workload*>& workloads);
void relate_workloads(Finding& finding, const Cause& cause);

/// `key=value:effect`, without `=` where the value is empty.
[[nodiscard]] std::string taint_text(const UntoleratedTaint& taint);
/// `key=value`, `key In (a, b)`, `key Exists`.
[[nodiscard]] std::string requirement_text(const UnmatchedRequirement& unmatched);
/// The value of a pool's label, where it is written beside its key; else what stands for the label.
[[nodiscard]] Node value_node(const PoolLabel& label);
/// Where a pool is named: the line to point at when nothing more precise is known.
[[nodiscard]] Node name_node(const NodePool& pool);

/// ExtendedResourceToleration would have let the pod in, and the cluster is declared without it or
/// says nothing of it: then relies-on-extended-resource-toleration speaks, not untolerated-taint.
[[nodiscard]] bool relies_on_admission(const Corpus& corpus, const UntoleratedTaint& taint);

/// `a`, `b`, `c` and 4 more.
[[nodiscard]] std::string list(const std::vector<std::string>& names);

}  // namespace gpulint::rules
