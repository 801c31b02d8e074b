#include "compiler/ir/yaml_string.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "compiler/base/text.h"

namespace gpulint {

std::string double_quoted(std::string_view value) {
  std::string quoted = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') quoted.push_back('\\');
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      quoted += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      quoted.push_back(c);
    }
  }
  return quoted + "\"";
}

std::string yaml_string(std::string_view value) {
  static constexpr std::array<std::string_view, 9> reserved = {"y",   "n",    "yes",   "no",  "on",
                                                               "off", "true", "false", "null"};
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto is_plain = [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.' || c == '/' ||
           c == ':';
  };
  // `2g.10gb` is no number in any reading: it has a letter that none of them uses.
  const auto is_beyond_numbers = [](char c) {
    return (c >= 'g' && c <= 'n') || (c >= 'p' && c <= 'w');
  };
  const bool starts_plainly = !value.empty() && (is_letter(value.front()) ||
                                                 (std::ranges::any_of(value, is_beyond_numbers) &&
                                                  value.front() != '-' && value.front() != '.'));
  const bool plain = starts_plainly && value.back() != ':' &&
                     std::ranges::all_of(value, is_plain) &&
                     std::ranges::find(reserved, to_lower(value)) == reserved.end();
  return plain ? std::string(value) : double_quoted(value);
}

}  // namespace gpulint
