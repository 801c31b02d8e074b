#include "compiler/base/shell_word.h"

#include <algorithm>

#include "compiler/base/text.h"

namespace gpulint {

std::string shell_word(std::string_view text) {
  const bool is_plain = std::ranges::all_of(text, [](char c) {
    return is_alphanumeric(c) || std::string_view("./-_=,:@%+").find(c) != std::string_view::npos;
  });
  if (is_plain && !text.empty()) return std::string(text);
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + '\'';
}

}  // namespace gpulint
