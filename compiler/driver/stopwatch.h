#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "compiler/driver/options.h"

namespace gpulint {

/// The time that each part of a run took, for `--verbose`.
class Stopwatch {
 public:
  /// Ends a part of the run, which began where the last one ended. `name` describes it: `reading`.
  void lap(std::string_view name);
  /// Prints all parts, with `--verbose` only.
  void print(const Options& options) const;

 private:
  using Clock = std::chrono::steady_clock;

  Clock::time_point begin_ = Clock::now();
  Clock::time_point last_ = begin_;
  std::string laps_;
};

}  // namespace gpulint
