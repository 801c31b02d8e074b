#pragma once

#include <string>
#include <vector>

#include "compiler/driver/options.h"

namespace gpulint {

/// The names that `--format` of a command takes; empty where it has no such option.
[[nodiscard]] std::vector<std::string> formats_of(Command command);

/// Settles what follows from options that were given: the formats with their files, what `--output`
/// still means beside them, and what the request has to know of both.
void complete_options(Options& options, const std::vector<std::string>& formats);

}  // namespace gpulint
