#pragma once

#include <string>
#include <vector>

#include "compiler/analysis/scope.h"

namespace gpulint {

/// Tasks of the command line that Flyte refuses, which have no place for a finding: a line each,
/// ready to print.
[[nodiscard]] std::vector<std::string> refuse_tasks(const Scopes& scopes);

}  // namespace gpulint
