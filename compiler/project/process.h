#pragma once

#include <string>
#include <vector>

#include "compiler/base/result.h"

namespace gpulint {

/// The result of a program.
struct ProcessOutput {
  int status = 0;  ///< Exit status; 128 + signal if a signal ended the program.
  std::string out;
  std::string err;
};

/// Runs a program from PATH without a shell and with empty standard input, and waits for it. An
/// Error if it cannot be started. gpulint only runs git, and only for options that need it.
/// `variables`, as `NAME=VALUE`, override the environment.
[[nodiscard]] Result<ProcessOutput> run_process(const std::vector<std::string>& words,
                                                const std::vector<std::string>& variables = {});

}  // namespace gpulint
