#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/base/result.h"
#include "compiler/check/baseline.h"
#include "compiler/project/project.h"
#include "compiler/project/request.h"

namespace gpulint {

/// The findings as a baseline that will be written to `path`.
[[nodiscard]] Baseline record_findings(const Project& project,
                                       const std::vector<Diagnostic>& findings,
                                       const std::string& path);

/// Reduces findings to those that are asked for: `--baseline` removes those that are known,
/// `--changed-since` leaves those in, or related to, a file that differs. Appends what the user may
/// want to know to `notes`. An Error where git or a baseline cannot be used.
[[nodiscard]] std::optional<Error> filter_findings(const Project& project, const Request& request,
                                                   const std::string& changed_since,
                                                   std::vector<Diagnostic>& findings,
                                                   std::vector<std::string>& notes);

}  // namespace gpulint
