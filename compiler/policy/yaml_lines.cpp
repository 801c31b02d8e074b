#include "compiler/policy/yaml_lines.h"

#include <algorithm>

namespace gpulint::policy {

void YamlLines::put(std::size_t at, std::string_view key, std::string_view value) {
  text_.append(2 * at, ' ').append(key).append(":");
  if (!value.empty()) text_.append(" ").append(value);
  text_ += '\n';
}

void YamlLines::put_text(std::size_t at, std::string_view key, std::string_view text) {
  if (text.find('\n') == std::string_view::npos) return put(at, key, yaml_scalar(text));
  put(at, key, "|-");
  const std::size_t deeper = 2 * at + (key.starts_with("- ") ? 4 : 2);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end > 0) text_.append(deeper, ' ').append(text.substr(0, end));
    text_ += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void YamlLines::put_comment(std::string_view text) { text_.append("# ").append(text).append("\n"); }

std::string yaml_scalar(std::string_view text) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./";
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const bool is_word = !text.empty() && letters.find(text.front()) != std::string_view::npos &&
                       text.find_first_not_of(plain) == std::string_view::npos;
  constexpr std::string_view reserved[] = {"true", "false", "null", "yes", "no",
                                           "on",   "off",   "y",    "n"};
  if (is_word && std::ranges::find(reserved, text) == std::end(reserved)) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace gpulint::policy
