#pragma once

#include <ostream>

#include "compiler/check/baseline.h"

namespace gpulint {

/// Writes a baseline as JSON, one entry a line and sorted, so that its diffs are readable.
void write_baseline(const Baseline& baseline, std::ostream& out);

}  // namespace gpulint
