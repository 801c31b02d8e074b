#pragma once

#include <cstddef>
#include <string_view>

namespace gpulint {

/// Bytes of the line break at the start of `text`, in YAML 1.1 (its production b-char, and Go's
/// yaml.v2): also NEL, LS and PS. 0 if there is none.
[[nodiscard]] constexpr std::size_t break_length(std::string_view text) {
  for (const std::string_view mark :
       {"\r\n", "\n", "\r", "\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"}) {
    if (text.starts_with(mark)) return mark.size();
  }
  return 0;
}

/// Whether only YAML 1.1 treats it as a line break.
[[nodiscard]] constexpr bool is_other_break(std::string_view line_break) {
  return !line_break.empty() && line_break.front() != '\n' && line_break.front() != '\r';
}

/// The line break's text in a value: LS and PS are kept, others become a line feed.
[[nodiscard]] constexpr std::string_view break_value(std::string_view line_break) {
  if (line_break.empty() || line_break.front() == '\xE2') return line_break;
  return "\n";
}

/// Whether `text` contains a line break that only YAML 1.1 knows.
[[nodiscard]] constexpr bool holds_other_breaks(std::string_view text) {
  for (const std::string_view mark : {"\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"}) {
    if (text.find(mark) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace gpulint
