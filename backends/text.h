#pragma once

#include <ostream>

#include "backends/backend.h"

namespace gpulint {

/// One finding with source, underline, related places, help and fix, and a blank line after it.
void write_finding(const Run& run, const Diagnostic& diagnostic, std::ostream& out);

/// `Found 2 errors, 1 warning in 3 files; 1 fixable with `gpulint fix``, without a line break.
[[nodiscard]] std::string summary_text(const Run& run);

}  // namespace gpulint
