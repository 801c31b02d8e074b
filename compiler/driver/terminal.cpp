#include "compiler/driver/terminal.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <string_view>

#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gpulint {
namespace {

[[nodiscard]] std::string_view environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): no code sets variables
  return value == nullptr ? std::string_view() : value;
}

/// Whether a variable says yes: it has a value, and that is not `0`.
[[nodiscard]] bool is_set(const char* name) {
  const std::string_view value = environment(name);
  return !value.empty() && value != "0";
}

/// Zero columns and rows if it is not a terminal.
[[nodiscard]] winsize size_of(int descriptor) {
  winsize size{};
  if (::isatty(descriptor) != 1 || ::ioctl(descriptor, TIOCGWINSZ, &size) != 0) return {};
  return size;
}

/// Whether the pager showed the text; false if the shell does not find it.
[[nodiscard]] bool page(const std::string& text, const std::string& pager) {
  FILE* const pipe = ::popen(pager.c_str(), "w");
  if (pipe == nullptr) return false;
  auto* const before = std::signal(SIGPIPE, SIG_IGN);  // the pager may end before the text
  std::fwrite(text.data(), 1, text.size(), pipe);
  constexpr int not_found = 127;
  const int status = ::pclose(pipe);
  std::signal(SIGPIPE, before);
  return !WIFEXITED(status) || WEXITSTATUS(status) != not_found;
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

std::size_t terminal_width() { return size_of(STDOUT_FILENO).ws_col; }

std::size_t error_terminal_width() { return size_of(STDERR_FILENO).ws_col; }

void print_paged(const std::string& text) {
  const char* const chosen = std::getenv("PAGER");  // NOLINT(concurrency-mt-unsafe): as above
  const std::string pager = chosen == nullptr ? "less -FRX" : chosen;
  const std::size_t rows = size_of(STDOUT_FILENO).ws_row;
  const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n'));
  const bool is_long = rows > 0 && lines >= rows && !pager.empty() && pager != "cat";
  if (is_long && page(text, pager)) return;
  std::cout << text << std::flush;
}

bool wants_progress() {
  return ::isatty(STDERR_FILENO) == 1 && environment("CI").empty() && environment("TERM") != "dumb";
}

}  // namespace gpulint
