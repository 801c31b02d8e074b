#pragma once

#include "compiler/engine/reporter.h"
#include "compiler/flyte/analysis.h"

namespace gpulint::rules::flyte_value_type {

/// What keeps Flyte from starting, or Helm from installing the chart.
void report_problems(const flyte::FlyteConfig& config, Reporter& reporter);

}  // namespace gpulint::rules::flyte_value_type
