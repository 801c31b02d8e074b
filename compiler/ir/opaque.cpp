#include "compiler/ir/opaque.h"

#include <cstddef>

namespace gpulint {
namespace {

[[nodiscard]] bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
[[nodiscard]] bool is_name_start(char c) { return is_letter(c) || c == '_'; }
[[nodiscard]] bool is_name(char c) {
  return is_name_start(c) || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == ' ';
}

/// `open` NAME `close` somewhere in the text, e.g. `<NAME>`. NAME starts with a letter.
[[nodiscard]] bool has_bracketed_name(std::string_view text, char open, char close) {
  for (std::size_t at = 0; (at = text.find(open, at)) != std::string_view::npos;) {
    std::size_t end = ++at;
    if (end == text.size() || !is_name_start(text[end])) continue;
    while (end < text.size() && is_name(text[end])) ++end;
    if (end < text.size() && text[end] == close) return true;
  }
  return false;
}

[[nodiscard]] bool has_shell_variable(std::string_view text) {
  for (std::size_t at = 0; (at = text.find('$', at)) != std::string_view::npos;) {
    if (++at == text.size()) return false;
    const char next = text[at];
    if (next == '{' || next == '(' || is_name_start(next)) return true;
  }
  return false;
}

}  // namespace

bool has_placeholder(std::string_view text) {
  return text.find("{{") != std::string_view::npos || has_shell_variable(text) ||
         has_bracketed_name(text, '<', '>') || has_bracketed_name(text, '{', '}') ||
         has_bracketed_name(text, '%', '%') || text.find("PLACEHOLDER") != std::string_view::npos ||
         (text.size() > 4 && text.starts_with("__") && text.ends_with("__"));
}

}  // namespace gpulint
