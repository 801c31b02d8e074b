#include "compiler/policy/cel_text.h"

#include <cstddef>

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

std::string cel_list(std::span<const std::string> texts) {
  constexpr std::size_t widest = 110;
  std::string list = "[";
  std::size_t line = 0;  // where the last one begins
  for (const std::string& text : texts) {
    const std::string item = cel_string(text);
    if (list.size() > 1) list += ',';
    if (list.size() - line + item.size() + 2 > widest && list.size() > 1) {
      list += "\n  ";
      line = list.size() - 2;
    } else if (list.size() > 1) {
      list += ' ';
    }
    list += item;
  }
  return list + ']';
}

std::string cel_double(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

}  // namespace gpulint::policy
