#pragma once

#include <deque>
#include <string_view>

#include "compiler/model/scope/scope_model.h"

namespace gpulint {

/// The DaemonSets that known charts and custom resources of operators make, as far as it is known
/// where they may run: tolerations and selectors of the values, else those of the chart. They are
/// workloads of the kind DaemonSet whose role names the line that decides
/// (`GPU Operator: daemonsets.tolerations`); those of a chart have the origin `values`. Left out
/// are charts of which other values are named, or several given: layers may replace each other.
[[nodiscard]] std::deque<Workload> find_operands(const ScopeModel& model);

/// The key at the top of the chart's values that gives this operand's pods a runtime class; empty
/// where there is none, and of other workloads. The charts name no class by themselves.
[[nodiscard]] std::string_view runtime_class_key(const Workload& operand);

}  // namespace gpulint
