#pragma once

#include <cstddef>
#include <ostream>

#include "backends/backend.h"
#include "backends/html/links.h"

namespace gpulint {

/// Workloads against nodes: the run's matrix of that number. Where there are many nodes a
/// letter stands for each reason, whose sentence shows over a cell that is pointed at, tapped or
/// focused; on paper the table comes in slices as wide as a page. The run's presentation must be
/// plain.
void write_matrix(const Run& run, std::size_t number, const PageLinks& links, std::ostream& out);

/// What the letters and colours of the matrices mean.
void write_legend(const Run& run, std::ostream& out);

}  // namespace gpulint
