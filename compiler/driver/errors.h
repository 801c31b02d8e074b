#pragma once

#include <string_view>

#include "compiler/base/result.h"

namespace gpulint {

/// Prints `gpulint: …` on standard error, safe for a terminal.
void print_error(std::string_view message);

/// The same; returns the exit status of a failed run.
[[nodiscard]] int refuse(const Error& error);

}  // namespace gpulint
