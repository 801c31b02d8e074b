#pragma once

#include <deque>
#include <string_view>

#include "compiler/model/scope/scope_model.h"

namespace gpulint {

/// The DaemonSets that known charts and custom resources of operators create, with the tolerations
/// and selectors of the values, else those of the chart. They are workloads of the kind DaemonSet
/// whose role names the decisive key (`GPU Operator: daemonsets.tolerations`); those of a chart
/// have the origin `values`. Not for charts whose values come from several files or from files that
/// are not inputs, because they may replace each other.
[[nodiscard]] std::deque<Workload> find_operands(const ScopeModel& model);

/// The top-level key of the chart's values that sets the runtime class of this operand's pods;
/// empty if there is none, and for other workloads. The charts set no class by default.
[[nodiscard]] std::string_view runtime_class_key(const Workload& operand);

}  // namespace gpulint
