#pragma once

#include <string>

namespace gpulint::test {

/// Ends a test whose oracle or tool is missing. The program then exits with 77, which ctest counts
/// as skipped, unless another test fails. Only for what cannot be in the repository: a missing file
/// of testdata is a failure.
[[noreturn]] void skip(const std::string& reason);

}  // namespace gpulint::test
