#include "compiler/ir/opaque.h"

#include <array>
#include <cstddef>

namespace gpulint {
namespace {

[[nodiscard]] bool is_variable_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

[[nodiscard]] bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
[[nodiscard]] bool is_name_start(char c) { return is_letter(c) || c == '_'; }
[[nodiscard]] bool is_name(char c) {
  return is_name_start(c) || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == ' ';
}

/// `open` NAME `close` at the start of the text, e.g. `<NAME>`. NAME starts with a letter.
[[nodiscard]] bool is_bracketed_name(std::string_view text, char close) {
  if (text.size() < 3 || !is_name_start(text[1])) return false;
  std::size_t end = 2;
  while (end < text.size() && is_name(text[end])) ++end;
  return end < text.size() && text[end] == close;
}

/// `$NAME`, `${…}`, `$(…)` at the start of the text; `$$NAME` is Kubernetes' way to escape `$`, and
/// still nothing to rely on.
[[nodiscard]] bool is_shell_variable(std::string_view text) {
  return text.size() > 1 && (text[1] == '{' || text[1] == '(' || is_name_start(text[1]));
}

/// `__NAME__` in capitals at the start of the text.
[[nodiscard]] bool is_underscored_name(std::string_view text) {
  if (!text.starts_with("__")) return false;
  const auto is_part = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  std::size_t end = 2;
  while (end < text.size() && is_part(text[end])) ++end;
  return end > 4 && text.substr(0, end).ends_with("__");
}

[[nodiscard]] bool is_placeholder(std::string_view text) {
  switch (text[0]) {
    case '_':
      return is_underscored_name(text);
    case '$':
      return is_shell_variable(text);
    case '{':
      return text.starts_with("{{") || is_bracketed_name(text, '}');
    case '<':
      return text.starts_with("<%") || is_bracketed_name(text, '>');
    case '%':
      return is_bracketed_name(text, '%');
    case '@':
      return is_bracketed_name(text, '@');
    case 'P':
      return text.starts_with("PLACEHOLDER");
    case 'R':
      return text.starts_with("REPLACE_") || text.starts_with("REPLACEME");
    case 'C':
      return text.starts_with("CHANGE_ME") || text.starts_with("CHANGEME");
    case 'Y':
      return text.starts_with("YOUR_");
    default:
      return false;
  }
}

/// First bytes of placeholders: most text has none of them.
constexpr std::array<bool, 256> may_begin_placeholder = [] {
  std::array<bool, 256> table{};
  for (const char c : {'$', '{', '<', '%', '@', '_', 'P', 'R', 'C', 'Y'}) {
    table[static_cast<unsigned char>(c)] = true;
  }
  return table;
}();

}  // namespace

std::optional<Variable> variable_at(std::string_view text, std::size_t offset) {
  if (!text.substr(offset).starts_with("${")) return std::nullopt;
  std::size_t at = offset + 2;
  while (at < text.size() && is_variable_character(text[at])) ++at;
  if (at == offset + 2) return std::nullopt;
  if (at < text.size() && text[at] == ':') ++at;
  if (at >= text.size() || (text[at] != '=' && text[at] != '-')) return std::nullopt;
  const std::size_t begin = ++at;
  for (int depth = 1; at < text.size() && text[at] != '\n'; ++at) {
    if (text[at] == '{') ++depth;
    if (text[at] != '}' || --depth > 0) continue;
    return Variable{text.substr(offset, at + 1 - offset), text.substr(begin, at - begin)};
  }
  return std::nullopt;
}

std::optional<Variable> variable_in(std::string_view text, std::size_t begin, std::size_t end) {
  const std::size_t line = begin == 0 ? 0 : text.rfind('\n', begin - 1) + 1;  // npos + 1 is 0
  const std::string_view before_end = text.substr(0, end + 1);  // does not search a large file on
  for (std::size_t at = line; (at = before_end.find("${", at)) < end;) {
    const auto variable = variable_at(text, at);
    if (variable && at + variable->text.size() > begin) return variable;
    at += variable ? variable->text.size() : 2;
  }
  return std::nullopt;
}

bool has_placeholder(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (may_begin_placeholder[static_cast<unsigned char>(text[at])] &&
        is_placeholder(text.substr(at))) {
      return true;
    }
  }
  return text.size() > 4 && text.starts_with("__") && text.ends_with("__");
}

}  // namespace gpulint
