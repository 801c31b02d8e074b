#pragma once

#include <vector>

#include "compiler/analysis/project.h"
#include "compiler/base/diagnostic.h"
#include "compiler/driver/options.h"
#include "compiler/driver/outputs.h"

namespace gpulint {

/// `check --add-suppressions REASON`: writes comments that silence the findings, reports those that
/// no comment can silence, and returns the exit status. A file is written only if reading it again
/// gives no finding that it did not have.
[[nodiscard]] int add_suppressions(const Project& project, const std::vector<Diagnostic>& findings,
                                   const Options& options, const std::vector<Output>& outputs);

}  // namespace gpulint
