#pragma once

#include <string>
#include <string_view>

namespace gpulint::rules {

/// `a list`, `an integer`.
[[nodiscard]] inline std::string with_article(std::string_view noun) {
  const bool is_vowel =
      !noun.empty() && std::string_view("aeio").find(noun[0]) != std::string_view::npos;
  return (is_vowel ? "an " : "a ") + std::string(noun);
}

}  // namespace gpulint::rules
