#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpulint {

[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
/// An ASCII letter or digit, whatever the locale.
[[nodiscard]] constexpr bool is_alphanumeric(char c) {
  return is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}
/// Whether `name` is one of `names`, letter by letter.
[[nodiscard]] constexpr bool is_listed(std::span<const std::string_view> names,
                                       std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}
/// ASCII lower case; other bytes are kept.
[[nodiscard]] std::string to_lower(std::string_view text);
/// ASCII upper case; other bytes are kept.
[[nodiscard]] std::string to_upper(std::string_view text);
/// ASCII case-insensitive equality.
[[nodiscard]] bool equal_fold(std::string_view a, std::string_view b);
/// As text.find(), which stops at each of the word's first letters; npos if it is not there.
[[nodiscard]] std::size_t find_text(std::string_view text, std::string_view word,
                                    std::size_t from = 0);
[[nodiscard]] inline bool has_text(std::string_view text, std::string_view word) {
  return find_text(text, word) != std::string_view::npos;
}
/// Without leading and trailing blanks, tabs and line breaks.
[[nodiscard]] std::string_view trim(std::string_view text);
/// Adds a part to a key that is compared as a whole. Each part ends in NUL and cannot run into the
/// next.
void append_part(std::string& key, std::string_view part);
/// The text before the first separator, or all; `rest` keeps what follows it.
[[nodiscard]] std::string_view take_part(std::string_view& rest, char separator);
/// The parts between separators, empty ones included: one more than there are separators.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);
/// Whether the name is the pattern, or begins with it where the pattern ends in `*`.
[[nodiscard]] bool matches_pattern(std::string_view pattern, std::string_view name);

/// Appends a code point as UTF-8.
void append_utf8(std::string& text, std::uint32_t code_point);

/// Edit distance with transpositions (optimal string alignment), in bytes; stops early and
/// returns `limit + 1` once the distance must exceed `limit`.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit);

/// The candidate most like `word`, if one is near enough to be what the user meant: at most a
/// third of its length away, `_`, `-`, `.` and letter case counting as equal. The first of equals.
[[nodiscard]] std::optional<std::string_view> nearest(std::string_view word,
                                                      std::span<const std::string_view> candidates);

}  // namespace gpulint
