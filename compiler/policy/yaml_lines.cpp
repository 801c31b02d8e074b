#include "compiler/policy/yaml_lines.h"

#include <algorithm>

#include "compiler/ir/yaml_string.h"

namespace gpulint::policy {

void YamlLines::put(std::size_t at, std::string_view key, std::string_view value) {
  text_.append(2 * at, ' ').append(key).append(":");
  if (!value.empty()) text_.append(" ").append(value);
  text_ += '\n';
}

void YamlLines::put_text(std::size_t at, std::string_view key, std::string_view text) {
  if (text.find('\n') == std::string_view::npos) return put(at, key, yaml_string(text));
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

}  // namespace gpulint::policy
