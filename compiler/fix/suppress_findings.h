#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/fix/fix.h"
#include "compiler/project/project.h"

namespace gpulint {

/// The result of suppressing findings. No file has been written yet.
struct Suppressed {
  ChangedFiles files;
  std::unique_ptr<Project> project;  ///< The project with these changes.
};

/// Adds comments that suppress the findings, with the reason (one line). A file is changed only if
/// reading it again gives no new finding. `before`: all findings of the project.
[[nodiscard]] Suppressed suppress_findings(const Project& project,
                                           const std::vector<Diagnostic>& before,
                                           const std::vector<Diagnostic>& findings,
                                           const std::string& reason, const CheckInputs& check);

}  // namespace gpulint
