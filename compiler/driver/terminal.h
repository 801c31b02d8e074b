#pragma once

#include <cstddef>
#include <string>

#include "compiler/driver/options.h"

namespace gpulint {

/// Whether to use colours on standard output, according to `--color`. `auto` means: standard output
/// is a terminal other than `dumb`, and NO_COLOR is not set (https://no-color.org). FORCE_COLOR or
/// CLICOLOR_FORCE enable colours without a terminal, unless NO_COLOR is set.
[[nodiscard]] bool wants_color(When when);

/// Whether locations can be links (OSC 8): with colours, on a terminal known to support links.
/// FORCE_HYPERLINK enables them, or disables them with `0`.
[[nodiscard]] bool wants_hyperlinks(When color);

/// Whether standard output is a terminal.
[[nodiscard]] bool is_terminal_output();

/// Columns of the terminal on standard output; 0 if it is not a terminal.
[[nodiscard]] std::size_t terminal_width();

/// Prints a text that may be long. If it has more lines than the terminal on standard output, it
/// goes through `$PAGER`: `less -FRX` if that is unset, no pager if it is empty or `cat`.
void print_paged(const std::string& text);

/// Columns of the terminal on standard error; 0 if it is not a terminal.
[[nodiscard]] std::size_t error_terminal_width();

/// Whether to show a progress bar: standard error is a terminal and the run is not a CI job (`CI`
/// in the environment).
[[nodiscard]] bool wants_progress();

}  // namespace gpulint
