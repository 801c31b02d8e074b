#pragma once

#include <ostream>

#include "compiler/check/baseline.h"

namespace gpulint {

/// Writes a baseline as JSON, sorted and with one entry on each line, which keeps diffs readable.
void write_baseline(const Baseline& baseline, std::ostream& out);

}  // namespace gpulint
