#include "compiler/policy/cel_text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace gpulint::policy {

namespace {

/// The line breaks of YAML 1.1 other than the newline, in UTF-8 and as escapes of CEL.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> line_breaks{
    {{"\xc2\x85", "\\u0085"}, {"\xe2\x80\xa8", "\\u2028"}, {"\xe2\x80\xa9", "\\u2029"}}};

}  // namespace

std::string cel_string(std::string_view text) {
  std::string literal = "'";
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const auto line_break = std::ranges::find_if(
        line_breaks, [&](const auto& each) { return text.substr(at).starts_with(each.first); });
    if (line_break != line_breaks.end()) {
      literal += line_break->second;
      at += line_break->first.size() - 1;
      continue;
    }
    if (c == '\'' || c == '\\') {
      literal.append({'\\', c});
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      literal += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      literal += c;
    }
  }
  return literal + '\'';
}

std::string wrap_items(std::span<const std::string> items, std::size_t indentation) {
  constexpr std::size_t widest = 110;
  std::string text;
  std::size_t line = 0;  // where the last one begins
  for (const std::string& item : items) {
    if (!text.empty()) {
      const bool is_full = text.size() - line + item.size() + 2 > widest;
      text += is_full ? ",\n" + std::string(indentation, ' ') : ", ";
      if (is_full) line = text.size() - indentation;
    }
    text += item;
  }
  return text;
}

std::string cel_list(std::span<const std::string> texts) {
  std::vector<std::string> literals;
  for (const std::string& text : texts) literals.push_back(cel_string(text));
  return "[" + wrap_items(literals, 2) + "]";
}

std::string cel_double(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

}  // namespace gpulint::policy
