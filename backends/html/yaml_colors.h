#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gpulint {

/// A stretch of a line of YAML or JSON that a page draws in a colour of its own, by the element
/// that stands for it: `b` keys, `u` quoted texts, numbers and the like, `i` comments.
struct ColoredPart {
  std::size_t begin = 0;
  std::size_t end = 0;
  char element = 'b';
};

/// The parts of one line, whatever is around it: lines of a block scalar look like those of any
/// other mapping. In order, disjoint, of whole code points.
[[nodiscard]] std::vector<ColoredPart> colored_parts(std::string_view line);

/// The bytes [begin, end) of a line as HTML.
[[nodiscard]] std::string colored_html(std::string_view line, const std::vector<ColoredPart>& parts,
                                       std::size_t begin, std::size_t end);

/// A whole text.
[[nodiscard]] std::string colored_html(std::string_view text);

}  // namespace gpulint
