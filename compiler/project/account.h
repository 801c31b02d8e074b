#pragma once

#include <string>
#include <vector>

#include "compiler/project/project.h"
#include "compiler/project/request.h"

namespace gpulint {

/// Where a run's findings come from, for `--verbose`: the configuration in force, each file that
/// was read, what was joined, what was left out and why. Lines are ready to print.
[[nodiscard]] std::vector<std::string> describe_account(const Project& project,
                                                        const Request& request);

}  // namespace gpulint
