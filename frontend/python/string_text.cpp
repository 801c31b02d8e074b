#include "frontend/python/string_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "compiler/base/text.h"

namespace gpulint::python {
namespace {

[[nodiscard]] std::optional<std::uint32_t> digit_value(char c, std::uint32_t base) {
  std::uint32_t value = base;
  if (is_digit(c)) value = static_cast<std::uint32_t>(c - '0');
  if (c >= 'a' && c <= 'f') value = static_cast<std::uint32_t>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') value = static_cast<std::uint32_t>(c - 'A') + 10;
  if (value >= base) return std::nullopt;
  return value;
}

/// A code point of up to `digits` digits; takes them from `rest`.
[[nodiscard]] std::uint32_t take_number(std::string_view& rest, std::size_t digits,
                                        std::uint32_t base) {
  std::uint32_t value = 0;
  for (; digits > 0 && !rest.empty(); --digits, rest.remove_prefix(1)) {
    const auto digit = digit_value(rest.front(), base);
    if (!digit) break;
    value = value * base + *digit;
  }
  return value;
}

[[nodiscard]] std::size_t hex_digits(char letter) {
  return letter == 'x' ? 2 : letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
}

/// Adds what a backslash and the text behind it mean.
void add_escape(std::string_view& rest, std::string& text) {
  static constexpr std::string_view letters = "abfnrtv\\'\"";
  static constexpr std::string_view meant = "\a\b\f\n\r\t\v\\'\"";
  const char c = rest.front();
  if (c == '\n' || c == '\r') {
    rest.remove_prefix(rest.starts_with("\r\n") ? 2 : 1);
  } else if (const auto at = letters.find(c); at != std::string_view::npos) {
    text += meant[at];
    rest.remove_prefix(1);
  } else if (c >= '0' && c <= '7') {
    append_utf8(text, take_number(rest, 3, 8));
  } else if (const std::size_t digits = hex_digits(c); digits > 0) {
    rest.remove_prefix(1);
    append_utf8(text, std::min<std::uint32_t>(take_number(rest, digits, 16), 0x10FFFF));
  } else {
    text += '\\';
  }
}

}  // namespace

StringParts split_string(std::string_view literal) {
  StringParts parts;
  const std::size_t quote = std::min(literal.find_first_of("\"'"), literal.size());
  for (const char c : literal.substr(0, quote)) {
    parts.is_raw = parts.is_raw || c == 'r' || c == 'R';
    parts.is_bytes = parts.is_bytes || c == 'b' || c == 'B';
    parts.has_fields = parts.has_fields || c == 'f' || c == 'F' || c == 't' || c == 'T';
  }
  parts.content = literal.substr(quote);
  if (parts.content.empty()) return parts;
  const std::string one(1, parts.content.front());
  const std::string three(3, parts.content.front());
  const std::string& close = parts.content.starts_with(three) ? three : one;
  parts.content.remove_prefix(close.size());
  if (parts.content.ends_with(close)) parts.content.remove_suffix(close.size());
  return parts;
}

std::string unescape(std::string_view content) {
  std::string text;
  while (!content.empty()) {
    const std::size_t slash = content.find('\\');
    text += content.substr(0, slash);
    if (slash == std::string_view::npos || slash + 1 == content.size()) break;
    content.remove_prefix(slash + 1);
    add_escape(content, text);
  }
  return text;
}

}  // namespace gpulint::python
