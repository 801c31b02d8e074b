#pragma once

#include <string>
#include <string_view>

namespace gpulint {

/// A unified diff of two versions of a file with three lines of context, as `git apply` and `patch`
/// take it; empty where both are equal. Line breaks are compared as they stand, and a missing final
/// one is noted. Names that could break a line are quoted as git does. Time and memory grow with
/// the texts, however many lines differ.
[[nodiscard]] std::string unified_diff(std::string_view path, std::string_view before,
                                       std::string_view after);

}  // namespace gpulint
