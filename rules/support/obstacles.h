#pragma once

#include <span>
#include <vector>

#include "compiler/engine/reporter.h"
#include "compiler/schedule/verdict.h"

namespace gpulint::rules {

/// Reports each: what is assumed is a warning at most.
void report(Reporter& reporter, std::span<const Obstacle> obstacles);

}  // namespace gpulint::rules
