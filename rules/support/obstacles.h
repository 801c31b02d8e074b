#pragma once

#include <span>
#include <vector>

#include "compiler/engine/reporter.h"
#include "compiler/schedule/verdict.h"

namespace gpulint::rules {

/// Reports an obstacle; an assumed one is a warning at most.
Finding report(Reporter& reporter, const Obstacle& obstacle);
void report(Reporter& reporter, std::span<const Obstacle> obstacles);
/// Those of one workload.
void report(Reporter& reporter, const FindObstacles& gate, const Workload& workload);

}  // namespace gpulint::rules
