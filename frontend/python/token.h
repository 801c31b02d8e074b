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
/// tokens. Never fails: an unterminated string ends with its line, or with the file if it has three
/// quotes. An unclosed bracket ends before a line that begins with `def`, `class`, `import` or
/// `from` in column 0.
[[nodiscard]] Tokens tokenize(const SourceFile& file);

/// The tokens of a part of a file, as if it were in brackets: the content of an f-string's braces.
[[nodiscard]] Tokens tokenize(const SourceFile& file, Span part);

}  // namespace gpulint::python
