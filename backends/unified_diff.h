#pragma once

#include <compare>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/base/source_file.h"

namespace gpulint {

/// A unified diff of two versions of a file with three lines of context, for `git apply` and
/// `patch`; empty if both are equal. Line breaks are compared exactly, and a missing final one is
/// noted. Names that could break a line are quoted as git does. Time and memory grow with the
/// texts, however many lines differ.
[[nodiscard]] std::string unified_diff(std::string_view path, std::string_view before,
                                       std::string_view after);

/// The same for a file and the result of edits.
[[nodiscard]] std::string unified_diff(std::string_view path, const SourceFile& file,
                                       const std::vector<Edit>& edits);

/// The smallest single edit that turns one text into another: replace the bytes [begin, end) by
/// `text`. It does not cut code points.
struct TextEdit {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text;
  friend auto operator<=>(const TextEdit&, const TextEdit&) = default;
};
[[nodiscard]] TextEdit smallest_edit(std::string_view before, std::string_view after);

}  // namespace gpulint
