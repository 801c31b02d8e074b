#pragma once

#include <ostream>

#include "backends/backend.h"

namespace gpulint {

/// One finding with source, underline, related places, help and fix, and a blank line after it.
void write_finding(const Run& run, const Diagnostic& diagnostic, std::ostream& out);

/// What is said where nothing was found: that, how much was read, or why the run failed.
[[nodiscard]] std::string quiet_verdict(const Run& run);

/// `Failed: gone.yaml: No such file or directory (and 1 more error)`. The run must have errors.
[[nodiscard]] std::string failure_text(const Run& run);

/// `Found 2 errors, 1 warning in 3 files; 1 fixable with `gpulint fix``, without a line break.
[[nodiscard]] std::string summary_text(const Run& run);

}  // namespace gpulint
