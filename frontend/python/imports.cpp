#include "frontend/python/imports.h"

#include <algorithm>

#include "compiler/base/text.h"

namespace gpulint::python {
namespace {

[[nodiscard]] bool is_import(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t\r\f\xEF\xBB\xBF");
  if (begin == std::string_view::npos) return false;
  line.remove_prefix(begin);
  return line.starts_with("import ") || line.starts_with("from ") || line.starts_with("import\t") ||
         line.starts_with("from\t");
}

[[nodiscard]] bool is_imported(std::string_view text, std::string_view word) {
  for (std::size_t at = 0; at < text.size(); at += word.size()) {
    at = find_text(text, word, at);
    if (at == std::string_view::npos) return false;
    // Old files end their lines in carriage returns alone.
    const std::size_t before = text.find_last_of("\n\r;", at);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    if (is_import(text.substr(begin, at - begin))) return true;
  }
  return false;
}

}  // namespace

bool may_declare_tasks(std::string_view text) {
  return is_imported(text, "flyte") || is_imported(text, "union");
}

std::vector<std::string> imported_words(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\n\r"), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!is_import(line)) continue;
    while (!line.empty()) {
      const auto is_part = [](char c) { return is_alphanumeric(c) || c == '_'; };
      const auto begin = std::ranges::find_if(line, is_part);
      const auto behind = std::find_if_not(begin, line.end(), is_part);
      if (begin != behind) words.emplace_back(begin, behind);
      line = std::string_view(behind, line.end());
    }
  }
  return words;
}

}  // namespace gpulint::python
