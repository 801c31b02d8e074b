#pragma once

#include <array>
#include <ostream>

#include "backends/backend.h"
#include "backends/html/links.h"

namespace gpulint {

/// The findings, one fold a rule, errors first; of each rule the first finding is unfolded, and of
/// the rules the first. `id="finding-N"` counts in the order of the run. The run's presentation
/// must be plain.
void write_findings_section(const Run& run, const PageLinks& links, std::ostream& out);

/// In the order in which a page has them.
inline constexpr std::array page_severities = {Severity::error, Severity::warning, Severity::info};

/// How many findings of a severity there are.
[[nodiscard]] std::size_t count_of(const Run& run, Severity severity);

}  // namespace gpulint
