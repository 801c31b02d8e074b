#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/fix/fix.h"
#include "compiler/project/project.h"

namespace gpulint {

/// What silencing findings leads to. Nothing has been written yet.
struct Suppressed {
  ChangedFiles files;
  std::unique_ptr<Project> project;  ///< As it is with these.
};

/// Comments that silence the findings for the reason, which is one line. A file is changed only if
/// reading it again gives no finding that it did not have. `before`: all findings of the project.
[[nodiscard]] Suppressed suppress_findings(const Project& project,
                                           const std::vector<Diagnostic>& before,
                                           const std::vector<Diagnostic>& findings,
                                           const std::string& reason, const CheckInputs& check);

}  // namespace gpulint
