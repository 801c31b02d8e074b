#include "compiler/driver/terminal.h"

#include <cstdlib>
#include <string_view>

#include <sys/ioctl.h>
#include <unistd.h>

namespace gpulint {
namespace {

[[nodiscard]] std::string_view environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets variables
  return value == nullptr ? std::string_view() : value;
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
  return ::isatty(STDOUT_FILENO) == 1 && environment("NO_COLOR").empty() &&
         environment("TERM") != "dumb";
}

std::size_t terminal_width() {
  winsize size{};
  if (::isatty(STDOUT_FILENO) != 1 || ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return 0;
  return size.ws_col;
}

bool wants_progress() {
  return ::isatty(STDERR_FILENO) == 1 && environment("CI").empty() && environment("TERM") != "dumb";
}

}  // namespace gpulint
