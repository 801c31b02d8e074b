#pragma once

#include <string>
#include <vector>

#include "compiler/project/project.h"
#include "compiler/project/request.h"

namespace gpulint {

/// What a run used, for `--verbose`: the configuration in force, the files that were read, joined
/// or skipped, and why. Lines are ready to print.
[[nodiscard]] std::vector<std::string> describe_account(const Project& project,
                                                        const Request& request);

}  // namespace gpulint
