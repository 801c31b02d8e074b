#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "compiler/driver/options.h"

namespace gpulint {

/// Where the time of a run went, for `--verbose`.
class Stopwatch {
 public:
  /// Ends a part of the run; it began where the last one ended. `name` says what it did: `reading`.
  void lap(std::string_view name);
  /// Prints all parts where the options ask for that.
  void print(const Options& options) const;

 private:
  using Clock = std::chrono::steady_clock;

  Clock::time_point begin_ = Clock::now();
  Clock::time_point last_ = begin_;
  std::string laps_;
};

}  // namespace gpulint
