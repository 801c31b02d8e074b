#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpulint {

/// One code point at the start of some bytes. A byte that is no UTF-8 is a code point of its own,
/// with `valid` false and U+FFFD as value.
struct CodePoint {
  char32_t value = 0;
  std::size_t size = 0;
  bool valid = true;
};

/// Decodes the first code point; `bytes` must not be empty.
[[nodiscard]] CodePoint decode_code_point(std::string_view bytes);

/// Terminal cells that a code point takes: 0, 1 or 2.
[[nodiscard]] std::size_t cell_width(char32_t code_point);

/// Terminal cells that text takes which `printable` has made safe.
[[nodiscard]] std::size_t cell_width(std::string_view text);

/// The code point as a terminal may show it: control, invisible and direction-changing ones
/// as `\x1b` or `\u{202e}`, invalid bytes as U+FFFD, a tab as four blanks.
[[nodiscard]] std::string printable(std::string_view bytes, CodePoint code_point);

/// The same for whole text; line breaks are shown as `\n`.
[[nodiscard]] std::string printable(std::string_view text);

/// JSON, or YAML that is written as JSON, with the same value and nothing in its strings that a
/// terminal would obey or not show: what printable() escapes stands as `\u202e` (beyond 16 bits as
/// each syntax has it). The text is valid UTF-8.
enum class EscapeSyntax : std::uint8_t { json, yaml };

[[nodiscard]] std::string escape_hidden(std::string text, EscapeSyntax syntax = EscapeSyntax::json);

/// Valid UTF-8 of at most `limit` code points, cut with `…`.
[[nodiscard]] std::string shorten(std::string_view text, std::size_t limit);

/// Text that `printable` has made safe, broken at blanks into lines for a terminal so many columns
/// wide. The first begins at column `first`, all others at `hang`. A word that fits nowhere has a
/// line of its own. One line where `width` is 0 (no terminal) or leaves no room to speak of.
[[nodiscard]] std::vector<std::string> wrap_words(std::string_view text, std::size_t first,
                                                  std::size_t hang, std::size_t width);

/// The same as one text, the further lines behind their blanks.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t first, std::size_t hang,
                                  std::size_t width);

}  // namespace gpulint
