#pragma once

#include <string>
#include <vector>

#include "backends/backend.h"
#include "compiler/analysis/project.h"
#include "compiler/driver/options.h"

namespace gpulint {

/// `gpulint` with its arguments, as a shell would take them.
[[nodiscard]] std::string quote_words(const std::vector<std::string>& words);

/// What a report says of the run that made it. The date is SOURCE_DATE_EPOCH's where that is set
/// (reproducible-builds.org), so that equal inputs give equal reports.
[[nodiscard]] Provenance provenance_of(const Project& project, const Options& options,
                                       const ReadSummary& read);

}  // namespace gpulint
