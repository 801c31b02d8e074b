#include "compiler/driver/stopwatch.h"

#include <fmt/format.h>

#include "compiler/driver/errors.h"

namespace gpulint {
namespace {

[[nodiscard]] std::string milliseconds(std::chrono::steady_clock::duration time) {
  return fmt::format("{:.1f} ms", std::chrono::duration<double, std::milli>(time).count());
}

}  // namespace

void Stopwatch::lap(std::string_view name) {
  const Clock::time_point now = Clock::now();
  laps_ += fmt::format("{}{} {}", laps_.empty() ? "" : ", ", name, milliseconds(now - last_));
  last_ = now;
}

void Stopwatch::print(const Options& options) const {
  if (!options.verbose) return;
  print_error(fmt::format("took {}{}{}", milliseconds(Clock::now() - begin_),
                          laps_.empty() ? "" : ": ", laps_));
}

}  // namespace gpulint
