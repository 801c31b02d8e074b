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

/// The findings that a request selects.
struct KeptFindings {
  std::vector<Diagnostic> findings;
  std::optional<Baseline> baseline;  ///< For `--write-baseline`: all findings, and none is kept.
  std::vector<std::string> notes;    ///< For the user, ready to print.
};

/// `--write-baseline` records all findings, `--baseline` removes recorded ones, `--changed-since`
/// keeps those in, or related to, a file that differs. An Error if git or the baseline cannot be
/// used.
[[nodiscard]] Result<KeptFindings> filter_findings(const Project& project, const Request& request,
                                                   std::vector<Diagnostic> findings);

}  // namespace gpulint
