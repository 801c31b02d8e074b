#pragma once

#include <string>
#include <vector>

#include "compiler/base/result.h"

namespace gpulint {

/// What a program gave back.
struct ProcessOutput {
  int status = 0;  ///< Exit status; 128 + signal where one ended it.
  std::string out;
  std::string err;
};

/// Runs a program, found on PATH, without a shell and with empty standard input, and waits for it.
/// An Error where it could not be started. gpulint runs git, and only where the user asked for it.
/// `variables`, as `NAME=VALUE`, go over the environment that there is.
[[nodiscard]] Result<ProcessOutput> run_process(const std::vector<std::string>& words,
                                                const std::vector<std::string>& variables = {});

}  // namespace gpulint
