#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpulint {

/// One code point at the start of some bytes. A byte that is not valid UTF-8 is a code point of its
/// own, with `valid` false and U+FFFD as value.
struct CodePoint {
  char32_t value = 0;
  std::size_t size = 0;
  bool valid = true;
};

/// Decodes the first code point; `bytes` must not be empty.
[[nodiscard]] CodePoint decode_code_point(std::string_view bytes);

/// The terminal cells of a code point: 0, 1 or 2.
[[nodiscard]] std::size_t cell_width(char32_t code_point);

/// The terminal cells of text that is already `printable`.
[[nodiscard]] std::size_t cell_width(std::string_view text);

/// The code point as text that is safe for a terminal: control, invisible and direction-changing
/// ones as `\x1b` or `\u{202e}`, invalid bytes as U+FFFD, a tab as four blanks.
[[nodiscard]] std::string printable(std::string_view bytes, CodePoint code_point);

/// The same for a whole text; line breaks become `
/// `.
[[nodiscard]] std::string printable(std::string_view text);

/// JSON, or YAML written as JSON, with the same value and nothing in its strings that a terminal
/// would obey or hide: what printable() escapes is written as `\u202e` (beyond 16 bits in the
/// syntax of each). The text must be valid UTF-8.
enum class EscapeSyntax : std::uint8_t { json, yaml };

[[nodiscard]] std::string escape_hidden(std::string text, EscapeSyntax syntax = EscapeSyntax::json);

/// Valid UTF-8 of at most `limit` code points, cut with `…`.
[[nodiscard]] std::string shorten(std::string_view text, std::size_t limit);

/// Breaks text that is already `printable` at blanks into lines of at most `width` columns. The
/// first line begins at column `first`, all others at `hang`. A word that is too long has its own
/// line. One line if `width` is 0 (no terminal) or too small.
[[nodiscard]] std::vector<std::string> wrap_words(std::string_view text, std::size_t first,
                                                  std::size_t hang, std::size_t width);

/// The same as one text; the further lines begin with their blanks.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t first, std::size_t hang,
                                  std::size_t width);

}  // namespace gpulint
