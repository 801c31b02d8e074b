#pragma once

#include <compare>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/base/source_file.h"

namespace gpulint {

/// A unified diff of two versions of a file with three lines of context, as `git apply` and `patch`
/// take it; empty where both are equal. Line breaks are compared as they stand, and a missing final
/// one is noted. Names that could break a line are quoted as git does. Time and memory grow with
/// the texts, however many lines differ.
[[nodiscard]] std::string unified_diff(std::string_view path, std::string_view before,
                                       std::string_view after);

/// The same of a file and what edits make of it.
[[nodiscard]] std::string unified_diff(std::string_view path, const SourceFile& file,
                                       const std::vector<Edit>& edits);

/// The bytes [begin, end) of one text and what stands there in another: the smallest single edit
/// that makes it the other. It does not cut code points.
struct TextEdit {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text;
  friend auto operator<=>(const TextEdit&, const TextEdit&) = default;
};
[[nodiscard]] TextEdit smallest_edit(std::string_view before, std::string_view after);

}  // namespace gpulint
