#pragma once

#include <string_view>

#include "compiler/base/result.h"

namespace gpulint {

/// Prints `gpulint: …` on standard error, safe for a terminal.
void print_error(std::string_view message);

/// The same, and the exit status of a run that failed.
[[nodiscard]] int refuse(const Error& error);

}  // namespace gpulint
