#pragma once

#include <cstddef>
#include <ostream>

#include "backends/backend.h"
#include "backends/html/links.h"

namespace gpulint {

/// What `why` says of the workloads of the run's matrix of that number that fit nowhere, each in a
/// fold of its own: `id="why-N"`, where N is the number of its row.
void write_stories(const Run& run, std::size_t number, const PageLinks& links, std::ostream& out);

}  // namespace gpulint
