#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "compiler/base/source_file.h"
#include "compiler/base/span.h"

namespace gpulint::python {

struct Token {
  enum class Kind : std::uint8_t { name, number, string, sign, newline, indent, dedent, end };

  Kind kind = Kind::end;
  Span span;              ///< Empty for indent, dedent and end.
  std::string_view text;  ///< Of the file.

  [[nodiscard]] bool is(Kind what) const { return kind == what; }
  [[nodiscard]] bool is(std::string_view word) const {
    return (kind == Kind::sign || kind == Kind::name) && text == word;
  }
};

struct Tokens {
  std::vector<Token> tokens;  ///< The last is an end, after as many dedents as indents.
  std::vector<Span> comments;
};

/// Splits Python source (3.x, https://docs.python.org/3/reference/lexical_analysis.html) into
/// tokens. Never fails: a string that does not end goes to the end of its line, or of the file
/// where it has three quotes; a bracket that does not close ends where a line at the margin begins
/// with `def`, `class`, `import` or `from`.
[[nodiscard]] Tokens tokenize(const SourceFile& file);

/// The tokens of a part of a file, as if it stood in brackets: what an f-string holds in braces.
[[nodiscard]] Tokens tokenize(const SourceFile& file, Span part);

}  // namespace gpulint::python
