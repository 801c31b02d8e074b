#pragma once

#include <ostream>

#include "backends/backend.h"

namespace gpulint {

/// The parts of the page below the findings; each writes nothing where the run has nothing for it.
/// The run's presentation must be plain.
void write_placement_section(const Run& run, std::ostream& out);
void write_pods_section(const Run& run, std::ostream& out);
/// Documentation of the rules that found something; `id="rule-ID"`.
void write_rules_section(const Run& run, std::ostream& out);

}  // namespace gpulint
