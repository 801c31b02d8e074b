#include "frontend/template_mark.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "compiler/base/text.h"
#include "frontend/line_scanner.h"

namespace gpulint {
namespace {

[[nodiscard]] bool is_variable(std::string_view line) {
  if (line.starts_with("${")) return line.ends_with('}');
  return line.size() > 1 && line[0] == '$' && std::ranges::all_of(line.substr(1), [](char c) {
           return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
         });
}

/// `${` and the name of a function with its parenthesis.
[[nodiscard]] bool holds_call(std::string_view line) {
  const std::size_t begin = line.find("${");
  if (begin == std::string_view::npos) return false;
  constexpr std::string_view name = "abcdefghijklmnopqrstuvwxyz0123456789_ ";
  const std::size_t end = line.find_first_not_of(name, begin + 2);
  return end != std::string_view::npos && end > begin + 2 && line[end] == '(';
}

/// Whether an action (`{{ … }}`, without its braces) names one of Helm's objects.
[[nodiscard]] bool names_helm_object(std::string_view action) {
  constexpr std::array<std::string_view, 6> objects{".Values",       ".Release", ".Chart",
                                                    ".Capabilities", ".Files",   ".Template"};
  return std::ranges::any_of(objects, [&](std::string_view object) {
    return action.find(object) != std::string_view::npos;
  });
}

}  // namespace

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

std::optional<Extent> find_quoted_mark(std::string_view text, Extent range, std::uint32_t at) {
  for (std::size_t begin = range.begin; (begin = text.find("{{", begin)) < range.end;) {
    const std::size_t line = std::min<std::size_t>(text.find('\n', begin), range.end);
    const std::size_t close = text.find("}}", begin + 2);
    if (close < line) {
      const std::size_t line_begin = text.rfind('\n', begin) + 1;  // npos + 1 is 0
      const bool is_of_error = line_begin <= at && at <= line;
      if (is_of_error || names_helm_object(text.substr(begin + 2, close - begin - 2))) {
        return Extent{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(close + 2)};
      }
    }
    begin += 2;
  }
  return std::nullopt;
}

std::optional<Extent> find_template_line(std::string_view text, Extent range, std::uint32_t at) {
  if (text.substr(range.begin, range.end - range.begin).find('$') == std::string_view::npos) {
    return std::nullopt;
  }
  for (std::uint32_t line = range.begin; line < range.end;) {
    const auto end =
        static_cast<std::uint32_t>(std::min<std::size_t>(text.find('\n', line), range.end));
    const std::string_view own = trim(text.substr(line, end - line));
    const bool holds_error = line <= at && at <= end;
    if (is_variable(own) || (holds_error && holds_call(own))) {
      const auto begin = static_cast<std::uint32_t>(own.data() - text.data());
      return Extent{begin, begin + static_cast<std::uint32_t>(own.size())};
    }
    line = end + 1;
  }
  return std::nullopt;
}

}  // namespace gpulint
