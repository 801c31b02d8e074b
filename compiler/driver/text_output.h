#pragma once

#include <functional>
#include <ostream>

#include "compiler/driver/options.h"

namespace gpulint {

/// Writes what a command prints in the formats that the options ask for, `text` (the default) and
/// `json`, to standard output or to files. Returns 0, or 2 where a format is unknown or a file
/// cannot be written, having said so.
[[nodiscard]] int write_text(const Options& options,
                             const std::function<void(bool is_json, std::ostream&)>& emit);

}  // namespace gpulint
