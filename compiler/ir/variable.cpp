#include "compiler/ir/variable.h"

namespace gpulint {
namespace {

[[nodiscard]] bool is_variable_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

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
  for (std::size_t at = line; (at = text.find("${", at)) < end;) {
    const auto variable = variable_at(text, at);
    if (variable && at + variable->text.size() > begin) return variable;
    at += variable ? variable->text.size() : 2;
  }
  return std::nullopt;
}

}  // namespace gpulint
