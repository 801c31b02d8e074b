#include "compiler/policy/cel_text.h"

#include <cstddef>
#include <vector>

#include <fmt/format.h>

namespace gpulint::policy {

std::string cel_string(std::string_view text) {
  std::string literal = "'";
  for (const char c : text) {
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
