#pragma once

#include <ostream>

#include "backends/backend.h"
#include "backends/html/links.h"

namespace gpulint {

/// The parts of the page around the findings; each writes nothing where the run has nothing for it.
/// The run's presentation must be plain.
/// Which workload runs where, and why those that run nowhere do not.
void write_placement_section(const Run& run, const PageLinks& links, std::ostream& out);

void write_pods_section(const Run& run, std::ostream& out);

/// Documentation of the rules that found something; `id="rule-ID"`.
void write_rules_section(const Run& run, std::ostream& out);

}  // namespace gpulint
