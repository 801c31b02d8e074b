#include "frontend/template_mark.h"

#include <algorithm>
#include <array>

#include "frontend/line_scanner.h"

namespace gpulint {

std::optional<TemplateMark> find_template_mark(std::string_view text, Extent range) {
  constexpr std::array<std::string_view, 4> marks{"{{", "{%", "<%", "%{"};
  const std::string_view own = text.substr(range.begin, range.end - range.begin);
  const bool occurs = std::ranges::any_of(
      marks, [&](std::string_view mark) { return own.find(mark) != std::string_view::npos; });
  if (!occurs) return std::nullopt;
  LineScanner scanner(text, range, LineScanner::Purpose::template_marks);
  scanner.scan();
  return scanner.mark();
}

}  // namespace gpulint
