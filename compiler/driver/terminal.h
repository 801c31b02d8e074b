#pragma once

#include <cstddef>

#include "compiler/driver/options.h"

namespace gpulint {

/// Whether standard output takes colours: as `--color` says; `auto` means a terminal that is not
/// `dumb` and no NO_COLOR in the environment (https://no-color.org). FORCE_COLOR or CLICOLOR_FORCE
/// say yes for what is no terminal, too, but not against NO_COLOR.
[[nodiscard]] bool wants_color(When when);

/// Whether locations can be links (OSC 8): where there are colours, on a terminal that is known to
/// hide what it does not show. FORCE_HYPERLINK says yes, or no with `0`.
[[nodiscard]] bool wants_hyperlinks(When color);

/// Whether standard output is a terminal.
[[nodiscard]] bool is_terminal_output();

/// Columns of the terminal on standard output; 0 where that is none.
[[nodiscard]] std::size_t terminal_width();

/// Columns of the terminal on standard error; 0 where that is none.
[[nodiscard]] std::size_t error_terminal_width();

/// Whether a progress bar has somebody who watches it: standard error is a terminal and the run is
/// no CI job (`CI` in the environment).
[[nodiscard]] bool wants_progress();

}  // namespace gpulint
