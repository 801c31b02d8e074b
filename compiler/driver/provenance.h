#pragma once

#include <string>
#include <vector>

#include "backends/backend.h"
#include "compiler/project/project.h"

namespace gpulint {

/// What a report says of the run that made it, by these arguments. The date is SOURCE_DATE_EPOCH's
/// where that is set (reproducible-builds.org), so that equal inputs give equal reports.
[[nodiscard]] Provenance provenance_of(const Project& project,
                                       const std::vector<std::string>& words,
                                       const ReadSummary& read);

}  // namespace gpulint
