#include "compiler/driver/errors.h"

#include <cstdio>
#include <string>

#include <fmt/format.h>

#include "backends/unicode.h"
#include "compiler/driver/terminal.h"

namespace gpulint {

void print_error(std::string_view message) {
  const std::string text = "gpulint: " + printable(message);
  fmt::print(stderr, "{}\n", wrapped(text, 0, 2, error_terminal_width()));
}

int refuse(const Error& error) {
  print_error(error.message);
  return 2;
}

}  // namespace gpulint
