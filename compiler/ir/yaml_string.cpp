#include "compiler/ir/yaml_string.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include <fmt/format.h>

#include "compiler/base/text.h"

namespace gpulint {

namespace {

/// The control, invisible or direction-changing character of two or three bytes at the start of
/// some bytes (Unicode: C1, general punctuation, the byte order mark); 0: another one.
[[nodiscard]] unsigned hidden_character(std::string_view bytes) {
  const auto byte = [&](std::size_t at) {
    return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0U;
  };
  const auto goes_on = [&](std::size_t at) { return (byte(at) & 0xC0U) == 0x80; };
  if (byte(0) == 0xC2 && goes_on(1) && byte(1) < 0xA0) return byte(1);
  if (!goes_on(1) || !goes_on(2)) return 0;
  const unsigned value = (byte(1) & 0x3FU) << 6U | (byte(2) & 0x3FU);
  if (byte(0) == 0xEF && value == 0xEFF) return 0xFEFF;
  if (byte(0) != 0xE2) return 0;
  const bool is_hidden = (value >= 0xB && value <= 0xF) || (value >= 0x28 && value <= 0x2E) ||
                         (value >= 0x60 && value <= 0x6F);
  return is_hidden ? 0x2000 + value : 0;
}

}  // namespace

std::string double_quoted(std::string_view value) {
  std::string quoted = "\"";
  for (std::size_t at = 0; at < value.size(); ++at) {
    const char c = value[at];
    if (const unsigned hidden = hidden_character(value.substr(at)); hidden != 0) {
      quoted += fmt::format("\\u{:04x}", hidden);
      at += hidden < 0x800 ? 1 : 2;
      continue;
    }
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
  const bool is_path = value.starts_with("./") || value.starts_with("../");
  const bool starts_plainly = !value.empty() && (is_path || is_letter(value.front()) ||
                                                 (std::ranges::any_of(value, is_beyond_numbers) &&
                                                  value.front() != '-' && value.front() != '.'));
  const bool plain = starts_plainly && value.back() != ':' &&
                     std::ranges::all_of(value, is_plain) &&
                     std::ranges::find(reserved, to_lower(value)) == reserved.end();
  return plain ? std::string(value) : double_quoted(value);
}

}  // namespace gpulint
