#pragma once

#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/project/project.h"

namespace gpulint {

/// Every finding of a project, final: selected, with its severity, not suppressed, sorted.
/// `progress` may be null.
[[nodiscard]] std::vector<Diagnostic> check_project(const Project& project, const Request& request,
                                                    Progress* progress = nullptr);

}  // namespace gpulint
