#pragma once

#include <string>

#include "backends/backend.h"
#include "compiler/analysis/project.h"

namespace gpulint {

/// What was understood of the inputs, each object once, and of which named files nothing.
[[nodiscard]] ReadSummary summarize_reading(const Project& project);

/// «nothing in notes.txt that gpulint reads: it looks like …», ready to print.
[[nodiscard]] std::string describe(const UnreadFile& file);

}  // namespace gpulint
