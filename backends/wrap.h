#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gpulint {

/// Text that `printable` has made safe, broken at blanks into lines for a terminal so many columns
/// wide. The first begins at column `first`, all others at `hang`. A word that fits nowhere has a
/// line of its own. One line where `width` is 0 (no terminal) or leaves no room to speak of.
[[nodiscard]] std::vector<std::string> wrap_words(std::string_view text, std::size_t first,
                                                  std::size_t hang, std::size_t width);

/// The same as one text, the further lines behind their blanks.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t first, std::size_t hang,
                                  std::size_t width);

}  // namespace gpulint
