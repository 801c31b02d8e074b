#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "compiler/base/span.h"
#include "compiler/ir/document.h"

namespace gpulint {

/// Byte offsets [begin, end) of a token.
struct Extent {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// Anchor and tag as written before a node, without `&` but with `!`; empty where absent.
struct WrittenProperties {
  Extent extent;
  std::string_view anchor = {};
  std::string_view tag = {};
};

/// Finds where tokens end that a YAML parser has only given the start or the value of, and the
/// comments between them. It relies on the text being valid up to the place asked for.
class TokenReader {
 public:
  /// Reads text[begin, end); comments are appended with `file` as their file.
  TokenReader(std::string_view text, Extent range, FileId file, std::vector<Span>& comments);

  /// The end of the last token.
  [[nodiscard]] std::uint32_t at() const { return at_; }
  [[nodiscard]] std::string_view text(Extent extent) const;
  /// The byte at `offset`; NUL at the end of the range.
  [[nodiscard]] char peek(std::uint32_t offset) const {
    return offset < end_ ? text_[offset] : '\0';
  }

  /// Moves to a token's start, taking the comments on the way.
  void move_to(std::uint32_t offset);
  /// Moves over blanks, breaks, comments and, in front of a node, over properties.
  void skip_blank();
  [[nodiscard]] WrittenProperties read_properties();

  /// The extent of the scalar that starts here and has this value; moves behind it.
  [[nodiscard]] Extent read_scalar(std::string_view value, Style style);
  [[nodiscard]] Style scalar_style() const;
  /// Moves behind one of `indicators` if it is the next token; false if not.
  bool read_indicator(char indicator);
  /// `~` or a spelling of null that is not a key; an empty extent here if there is none.
  [[nodiscard]] Extent read_null();

 private:
  [[nodiscard]] std::uint32_t find_closing_quote(char quote) const;
  [[nodiscard]] std::uint32_t line_end(std::uint32_t offset) const;
  /// The offset behind as many non-blank bytes from `offset` on as `value` holds.
  [[nodiscard]] std::uint32_t match_marks(std::uint32_t offset, std::string_view value) const;
  void read_comment();

  std::string_view text_;
  std::uint32_t at_;
  std::uint32_t end_;
  FileId file_;
  std::vector<Span>* comments_;
};

}  // namespace gpulint
