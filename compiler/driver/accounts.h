#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "compiler/driver/options.h"
#include "compiler/project/project.h"

namespace gpulint {

/// What `--verbose` tells on standard error of where a run's findings come from: the configuration
/// in force, each file that was read, what was joined, what was left out and why. Prints nothing
/// without it.
void print_account(const Project& project, const Options& options);

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
