#include "rules/support/move_edits.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "compiler/base/text.h"
#include "rules/support/layout.h"

namespace gpulint::rules {
namespace {

/// Whole lines without the first `shift` blanks; nullopt where one has fewer.
[[nodiscard]] std::optional<std::string> dedented(std::string_view lines, std::uint32_t shift) {
  std::string result;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size() - 1) + 1;
    const std::string_view line = lines.substr(0, end);
    lines.remove_prefix(end);
    if (trim(line).empty()) {
      result += line.substr(std::min<std::size_t>(shift, line.find_first_not_of(' ')));
      continue;
    }
    if (line.find_first_not_of(' ') < shift) return std::nullopt;
    result += line.substr(shift);
  }
  return result;
}

[[nodiscard]] std::vector<Edit> dedent_in_place(const Layout& layout, std::uint32_t begin,
                                                std::uint32_t end, std::uint32_t shift) {
  std::vector<Edit> edits;
  for (std::uint32_t at = begin; at < end; at = layout.next_line(at)) {
    if (trim(layout.text().substr(at, layout.line_end(at) - at)).empty()) continue;
    edits.push_back({layout.span(at, at + shift), ""});
  }
  return edits;
}

[[nodiscard]] bool starts_its_line(const Layout& layout, Node key) {
  return trim(layout.before_on_line(key.begin_with_properties())).empty();
}

}  // namespace

std::vector<Edit> move_out(const SourceSet& sources, Node value) {
  const Node inner = value.parent();
  const Node outer = inner.parent();
  const Layout layout(sources, value);
  if (!layout.editable() || !outer.is_mapping() || !value.key() || !inner.key()) return {};
  if (inner.style() == Style::flow || outer.style() == Style::flow) return {};
  if (inner.size() < 2 || outer.get(value.key().text()) || value.is_alias()) return {};
  if (!starts_its_line(layout, value.key()) || !starts_its_line(layout, inner.key())) return {};
  const std::uint32_t begin = layout.line_begin(value.key().span().begin);
  const std::uint32_t end = layout.next_line(std::max(value.span().end, begin + 1) - 1);
  const std::uint32_t shift =
      value.key().span().begin - begin -
      (inner.key().span().begin - layout.line_begin(inner.key().span().begin));
  const auto moved = dedented(layout.text().substr(begin, end - begin), shift);
  if (!moved || shift == 0) return {};
  // Behind the last line of the mapping; where the entry is that line, it stays in place.
  const std::uint32_t behind = layout.next_line(std::max(inner.span().end, end) - 1);
  if (behind <= end) return dedent_in_place(layout, begin, end, shift);
  const bool is_closed = layout.text()[behind - 1] == '\n';
  std::string text = *moved;
  if (!is_closed) {
    text = std::string(layout.line_break()) + std::string(trim(text));
  }
  return {{layout.span(begin, end), ""}, {layout.span(behind, behind), text}};
}

}  // namespace gpulint::rules
