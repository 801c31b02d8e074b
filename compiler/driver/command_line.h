#pragma once

#include <vector>

#include "backends/completions.h"

namespace gpulint {

/// The whole command line, made from what parses it, so that nothing drawn from it goes stale.
[[nodiscard]] std::vector<CommandDescription> describe_command_line();

}  // namespace gpulint
