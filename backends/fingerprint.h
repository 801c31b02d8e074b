#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.h"

namespace gpulint {

/// GitHub's `primaryLocationLineHash` of every line (github/codeql-action src/fingerprints.ts):
/// entry i belongs to line i + 1. Lines end at \n, \r\n or a lone \r.
[[nodiscard]] std::vector<std::string> github_line_hashes(std::string_view text);

/// One fingerprint for each finding: 16 hexadecimal digits and a count. It depends on rule, file,
/// key path and the text at the place, not on line numbers.
[[nodiscard]] std::vector<std::string> stable_fingerprints(const Run& run);

}  // namespace gpulint
