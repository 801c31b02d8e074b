#include "compiler/driver/terminal.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string_view>

#include <sys/ioctl.h>
#include <unistd.h>

namespace gpulint {
namespace {

[[nodiscard]] std::string_view environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets variables
  return value == nullptr ? std::string_view() : value;
}

/// Whether a variable says yes: it has a value, and that is not `0`.
[[nodiscard]] bool is_set(const char* name) {
  const std::string_view value = environment(name);
  return !value.empty() && value != "0";
}

[[nodiscard]] std::size_t width_of(int descriptor) {
  winsize size{};
  if (::isatty(descriptor) != 1 || ::ioctl(descriptor, TIOCGWINSZ, &size) != 0) return 0;
  return size.ws_col;
}

/// Terminals that show links, as they name themselves in the environment. Others may print the
/// address as text; multiplexers drop it or not, by version.
[[nodiscard]] bool knows_links() {
  const std::string_view term = environment("TERM");
  if (term.starts_with("screen") || term.starts_with("tmux")) return false;
  static constexpr std::string_view programs[] = {"iTerm.app", "WezTerm", "vscode",
                                                  "ghostty",   "Hyper",   "Tabby"};
  static constexpr std::string_view terms[] = {"xterm-kitty", "xterm-ghostty", "foot", "alacritty",
                                               "wezterm"};
  const std::string_view vte = environment("VTE_VERSION");  // such as 7006; 5000 was the first
  return std::ranges::find(programs, environment("TERM_PROGRAM")) != std::end(programs) ||
         std::ranges::find(terms, term) != std::end(terms) || (vte.size() == 4 && vte >= "5000") ||
         !environment("WT_SESSION").empty() || !environment("KONSOLE_VERSION").empty();
}

}  // namespace

bool wants_color(When when) {
  switch (when) {
    case When::always:
      return true;
    case When::never:
      return false;
    case When::automatic:
      break;
  }
  if (!environment("NO_COLOR").empty()) return false;
  if (is_set("FORCE_COLOR") || is_set("CLICOLOR_FORCE")) return true;
  return ::isatty(STDOUT_FILENO) == 1 && environment("TERM") != "dumb";
}

bool wants_hyperlinks(When color) {
  const std::string_view forced = environment("FORCE_HYPERLINK");
  if (!forced.empty()) return forced != "0";
  return wants_color(color) && ::isatty(STDOUT_FILENO) == 1 && environment("CI").empty() &&
         knows_links();
}

bool is_terminal_output() { return ::isatty(STDOUT_FILENO) == 1; }

std::size_t terminal_width() { return width_of(STDOUT_FILENO); }

std::size_t error_terminal_width() { return width_of(STDERR_FILENO); }

bool wants_progress() {
  return ::isatty(STDERR_FILENO) == 1 && environment("CI").empty() && environment("TERM") != "dumb";
}

}  // namespace gpulint
