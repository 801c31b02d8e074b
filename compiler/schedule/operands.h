#pragma once

#include <deque>

#include "compiler/model/corpus.h"

namespace gpulint {

/// The DaemonSets that known charts and custom resources of operators make, as far as it is known
/// where they may run: tolerations and selectors of the values, else those of the chart. They are
/// workloads of the kind DaemonSet whose role names the line that decides
/// (`GPU Operator: daemonsets.tolerations`); those of a chart have the origin `values`. Left out
/// are charts of which other values are named, or several given: layers may replace each other.
[[nodiscard]] std::deque<Workload> find_operands(const Corpus& corpus);

}  // namespace gpulint
