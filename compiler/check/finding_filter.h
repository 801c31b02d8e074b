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

/// The findings that a request asks for.
struct KeptFindings {
  std::vector<Diagnostic> findings;
  std::optional<Baseline> baseline;  ///< Of `--write-baseline`: all of them, and none is kept.
  std::vector<std::string> notes;    ///< What the user may want to know, ready to print.
};

/// `--write-baseline` records all findings, `--baseline` removes those that are known,
/// `--changed-since` leaves those in, or related to, a file that differs. An Error where git or a
/// baseline cannot be used.
[[nodiscard]] Result<KeptFindings> filter_findings(const Project& project, const Request& request,
                                                   std::vector<Diagnostic> findings);

}  // namespace gpulint
