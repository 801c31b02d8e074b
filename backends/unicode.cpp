#include "backends/unicode.h"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "backends/cell_width_table.h"

namespace gpulint {
namespace {

constexpr char32_t replacement = 0xFFFD;
constexpr std::string_view tab_cells = "    ";

[[nodiscard]] bool contains(std::span<const CodePointRange> ranges, char32_t c) {
  const auto after = std::ranges::upper_bound(ranges, c, {}, &CodePointRange::first);
  return after != ranges.begin() && c <= std::prev(after)->last;
}

/// What would move the cursor, change the direction of text or hide: C0, C1, DEL, the bidi
/// controls and blanks without width of Unicode 14.0 §23.2, line separators, tags, BOM.
[[nodiscard]] bool needs_escape(char32_t c) {
  static constexpr auto ranges = std::to_array<CodePointRange>({{0x00, 0x1F},
                                                                {0x7F, 0x9F},
                                                                {0xAD, 0xAD},
                                                                {0x61C, 0x61C},
                                                                {0x180E, 0x180E},
                                                                {0x200B, 0x200C},
                                                                {0x200E, 0x200F},
                                                                {0x2028, 0x202E},
                                                                {0x2060, 0x206F},
                                                                {0xFEFF, 0xFEFF},
                                                                {0xFFF0, 0xFFFB},
                                                                {0xFFFE, 0xFFFF},
                                                                {0xE0000, 0xE007F}});
  return (c < 0x20 || c >= 0x7F) && contains(ranges, c);
}

/// Length that the lead byte announces; 0 for a byte that starts nothing.
[[nodiscard]] std::size_t announced_size(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  return lead >= 0xF0 && lead < 0xF5 ? 4 : 0;
}

[[nodiscard]] bool is_scalar_of_size(char32_t value, std::size_t size) {
  if (size == 3) return value >= 0x800 && (value < 0xD800 || value > 0xDFFF);
  return size != 4 || (value >= 0x10000 && value <= 0x10FFFF);
}

}  // namespace

CodePoint decode_code_point(std::string_view bytes) {
  static constexpr std::array<unsigned, 5> lead_mask = {0, 0x7F, 0x1F, 0x0F, 0x07};
  const auto lead = static_cast<unsigned char>(bytes.front());
  const std::size_t size = announced_size(lead);
  const CodePoint broken{replacement, 1, false};
  if (size == 0 || size > bytes.size()) return broken;
  char32_t value = lead & lead_mask[size];
  for (const char c : bytes.substr(1, size - 1)) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0U) != 0x80U) return broken;
    value = (value << 6U) | (byte & 0x3FU);
  }
  return is_scalar_of_size(value, size) ? CodePoint{value, size, true} : broken;
}

std::size_t cell_width(char32_t c) {
  if (c < 0x300) return 1;
  if (contains(zero_width_code_points, c)) return 0;
  return contains(wide_code_points, c) ? 2 : 1;
}

std::size_t cell_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const CodePoint c = decode_code_point(text);
    width += cell_width(c.value);
    text.remove_prefix(c.size);
  }
  return width;
}

std::string printable(std::string_view bytes, CodePoint c) {
  if (!c.valid) return "\uFFFD";
  if (c.value == '\t') return std::string(tab_cells);
  if (c.value == '\n') return "\\n";
  if (c.value == '\r') return "\\r";
  if (!needs_escape(c.value)) return std::string(bytes.substr(0, c.size));
  const auto value = static_cast<unsigned>(c.value);
  return value < 0x80 ? fmt::format("\\x{:02x}", value) : fmt::format("\\u{{{:x}}}", value);
}

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const CodePoint c = decode_code_point(text);
    result += printable(text, c);
    text.remove_prefix(c.size);
  }
  return result;
}

std::string escape_hidden(std::string text, EscapeSyntax syntax) {
  const auto is_suspect = [](char c) { return static_cast<unsigned char>(c) >= 0x7F; };
  if (std::ranges::none_of(text, is_suspect)) return text;
  std::string result;
  result.reserve(text.size());
  for (std::string_view rest = text; !rest.empty();) {
    const CodePoint c = decode_code_point(rest);
    const auto value = static_cast<unsigned>(c.value);
    if (value < 0x7F || !c.valid || !needs_escape(c.value)) {
      result += rest.substr(0, c.size);
    } else if (value <= 0xFFFF) {
      result += fmt::format("\\u{:04x}", value);
    } else if (syntax == EscapeSyntax::yaml) {
      result += fmt::format("\\U{:08x}", value);
    } else {
      const unsigned above = value - 0x10000;
      result +=
          fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + (above >> 10U), 0xDC00 + (above & 0x3FFU));
    }
    rest.remove_prefix(c.size);
  }
  return result;
}

std::string shorten(std::string_view text, std::size_t limit) {
  std::string result;
  for (std::size_t count = 0; !text.empty(); ++count) {
    const CodePoint c = decode_code_point(text);
    if (count + 1 == limit && c.size < text.size()) return result + "…";
    result += c.valid ? text.substr(0, c.size) : std::string_view("\uFFFD");
    text.remove_prefix(c.size);
  }
  return result;
}

}  // namespace gpulint
