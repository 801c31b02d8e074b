#pragma once

#include <span>
#include <vector>

#include "compiler/engine/reporter.h"
#include "compiler/schedule/verdict.h"

namespace gpulint::rules {

/// Reports each; an assumed obstacle is a warning at most.
void report(Reporter& reporter, std::span<const Obstacle> obstacles);

}  // namespace gpulint::rules
