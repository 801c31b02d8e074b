#include "frontend/python/imports.h"

#include <cstring>

namespace gpulint::python {
namespace {

/// As `find`, which looks at every first letter (memmem(3) does not).
[[nodiscard]] std::size_t find_word(std::string_view text, std::string_view word,
                                    std::size_t from) {
  const void* const found =
      memmem(text.data() + from, text.size() - from, word.data(), word.size());
  if (found == nullptr) return std::string_view::npos;
  return static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

[[nodiscard]] bool is_import(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t\r\f\xEF\xBB\xBF");
  if (begin == std::string_view::npos) return false;
  line.remove_prefix(begin);
  return line.starts_with("import ") || line.starts_with("from ") || line.starts_with("import\t") ||
         line.starts_with("from\t");
}

[[nodiscard]] bool is_imported(std::string_view text, std::string_view word) {
  for (std::size_t at = 0; at < text.size(); at += word.size()) {
    at = find_word(text, word, at);
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

}  // namespace gpulint::python
