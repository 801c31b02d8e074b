#pragma once

#include <ostream>

#include "backends/backend.h"

namespace gpulint {

/// One finding with source, underline, related places, help and fix, and a blank line after it.
void write_finding(const Run& run, const Diagnostic& diagnostic, std::ostream& out);

/// The summary without findings: no problems and how much was read, or why the run failed.
[[nodiscard]] std::string quiet_verdict(const Run& run);

}  // namespace gpulint
