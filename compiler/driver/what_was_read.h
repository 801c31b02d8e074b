#pragma once

#include <string>

#include "backends/backend.h"
#include "compiler/project/project.h"

namespace gpulint {

/// What was understood of the inputs, each object once, and of which named files nothing.
[[nodiscard]] ReadSummary summarize_reading(const Project& project);

/// «read: 3 nodes, 1 Flyte release (values.yaml), 2 workloads, 4 tasks (assumed)».
[[nodiscard]] std::string describe(const ReadSummary& read);

/// Says of findings of syntax in what is no YAML at all what it looks like, and what would help.
void explain_other_languages(const Project& project, std::vector<Diagnostic>& findings);

/// «nothing in notes.txt that gpulint reads: it looks like …», ready to print.
[[nodiscard]] std::string describe(const UnreadFile& file);

}  // namespace gpulint
