#pragma once

#include <ostream>

#include "backends/backend.h"

namespace gpulint {

/// One finding with source, underline, related places, help and fix, and a blank line after it.
void write_finding(const Run& run, const Diagnostic& diagnostic, std::ostream& out);

/// What is said where nothing was found: that, how much was read, or why the run failed.
[[nodiscard]] std::string quiet_verdict(const Run& run);

}  // namespace gpulint
