#include "compiler/base/counted.h"

#include <fmt/format.h>

namespace gpulint {

std::string count_text(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace gpulint
