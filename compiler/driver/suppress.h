#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/project/project.h"
#include "compiler/project/request.h"

namespace gpulint {

/// Writes comments that silence the findings for the reason, which stands on one line. A file is
/// written only if reading it again gives no finding that it did not have. Returns the project as
/// it is then; what could not be written is among its errors.
[[nodiscard]] std::unique_ptr<Project> suppress_findings(const Project& project,
                                                         const std::vector<Diagnostic>& findings,
                                                         const Request& request,
                                                         const std::string& reason);

}  // namespace gpulint
