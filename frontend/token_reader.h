#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/ir/document.h"
#include "frontend/extent.h"

namespace gpulint {

/// The lines of a block scalar as Go's yaml.v2 reads them (scannerc.go, block scalars), where that
/// differs from the YAML parser.
struct BlockLines {
  std::uint32_t content = 0;   ///< Where the line below the header begins.
  std::uint32_t end = 0;       ///< After the last line that has more than indentation.
  std::size_t breaks = 0;      ///< Line breaks from there on, including those of blank lines.
  bool keeps_breaks = false;   ///< The header has a `+`: all of them are in the value.
  bool strips_breaks = false;  ///< It has a `-`: none of them is.
  /// The text ends in the indentation of a line that has nothing else.
  bool ends_in_indentation = false;
  /// A tab before the indentation is known or reached: the document is rejected.
  std::optional<std::uint32_t> tab;
  std::size_t indentation = 0;  ///< From the header's digit; 0: from the first lines.
  std::size_t least = 1;        ///< The least that the first lines can give.
};

/// Anchor and tag as written before a node, without `&` but with `!`; empty if absent.
struct WrittenProperties {
  Extent extent;
  std::string_view anchor = {};
  std::string_view tag = {};
};

/// A scalar as written in the text. `value` is set only if the reader's value differs from the
/// parser's: in quotes, and at the end of block scalars.
struct WrittenScalar {
  Extent extent;
  Style style = Style::plain;
  bool has_value = false;
  bool is_verbatim = false;       ///< The value equals the text between the quotes.
  bool has_other_breaks = false;  ///< In quotes: line breaks that only YAML 1.1 knows.
  std::string value = {};
};

/// Bytes between the start of the line and `offset`, without a byte order mark.
[[nodiscard]] std::uint32_t column_of(std::string_view text, std::uint32_t offset);

/// Reads a text in parallel with a YAML parser that reports only the start and the value of tokens.
/// Finds their ends, the comments between them, and what YAML 1.1 rejects but the parser accepts.
/// It relies on the text being valid otherwise.
class TokenReader {
 public:
  /// Reads text[range]; comments and errors go to `document`.
  TokenReader(std::string_view text, Extent range, Document& document);

  /// The end of the last token.
  [[nodiscard]] std::uint32_t at() const { return at_; }
  [[nodiscard]] std::string_view text(Extent extent) const;
  /// The byte at `offset`; NUL at the end of the range.
  [[nodiscard]] char peek(std::uint32_t offset) const {
    return offset < end_ ? text_[offset] : '\0';
  }
  [[nodiscard]] char next() const { return peek(at_); }

  /// The last byte before `offset` that is not a blank, `#` for a comment; NUL if there is none.
  [[nodiscard]] char previous_mark(std::uint32_t offset) const;
  [[nodiscard]] std::uint32_t column(std::uint32_t offset) const;

  enum class Context : bool { block, flow };
  /// Sets the collection of the next tokens, and where it begins; UINT32_MAX for none.
  void enter(Context context, std::uint32_t begin);

  /// Moves to a token's start, and reads the comments on the way.
  void move_to(std::uint32_t offset);
  /// The same, but stays before an anchor or tag on the way.
  void move_to_properties(std::uint32_t offset);
  /// Moves over blanks, breaks and comments.
  void skip_blank();
  /// Moves to the end of the line.
  void skip_line() { at_ = line_end(at_); }
  /// Moves after `indicator` if it is the next byte; returns false if it is not.
  [[nodiscard]] bool read_indicator(char indicator);
  /// Moves over anchor and tag, and the blanks after each.
  [[nodiscard]] WrittenProperties read_properties();
  /// The same for an anchor without a tag.
  [[nodiscard]] WrittenProperties read_lone_anchor();
  /// The name of the alias that starts here, without `*`; moves after it.
  [[nodiscard]] std::string_view read_alias();
  /// The scalar that starts here; `value` is the parser's value. Moves after it.
  [[nodiscard]] WrittenScalar read_scalar(std::string_view value);
  enum class Role : bool { value, key };
  /// `~` or a spelling of null in that role; an empty extent here if there is none.
  [[nodiscard]] Extent read_null(Role role);
  /// Whether a quoted or block scalar starts here.
  [[nodiscard]] bool starts_scalar() const {
    return std::string_view("'\"|>").find(next()) != std::string_view::npos;
  }

  /// Whether a mapping's key in quotes starts here, with its colon.
  [[nodiscard]] bool starts_quoted_key() const;

  /// Rejects the line breaks that only YAML 1.1 knows: NEL, LS and PS.
  void check_line_breaks(Extent where);
  void refuse(Extent where, std::string message,
              SyntaxError::Kind kind = SyntaxError::Kind::syntax);

 private:
  [[nodiscard]] std::string_view rest() const { return text_.substr(at_, end_ - at_); }
  [[nodiscard]] std::uint32_t line_end(std::uint32_t offset) const;
  /// The offset after as many non-blank bytes from `offset` on as `value` has.
  [[nodiscard]] std::uint32_t match_marks(std::uint32_t offset, std::string_view value) const;
  [[nodiscard]] std::uint32_t block_indentation() const;
  void read_gap_byte();
  void check_tab();
  [[nodiscard]] bool is_before_brace() const;
  [[nodiscard]] bool is_line_start(std::uint32_t offset) const;
  [[nodiscard]] bool ends_null(std::uint32_t offset, Role role) const;
  void refuse_directive();
  void read_comment();
  void read_anchor(WrittenProperties& properties);
  void read_tag(WrittenProperties& properties);
  void read_quoted_scalar(WrittenScalar& scalar);
  void read_block_scalar(std::string_view value, WrittenScalar& scalar);
  void mend_block_value(const BlockLines& lines, std::string_view value, WrittenScalar& scalar);

  std::string_view text_;
  std::uint32_t at_;
  std::uint32_t end_;
  Document* document_;
  Context context_ = Context::block;
  std::uint32_t collection_ = UINT32_MAX;
  std::uint32_t block_scalar_end_ = 0;  // of the last one: tabs in its lines are text
  bool is_indenting_ = true;            // where a key could begin: behind a break, `- ` or `? `
  bool is_behind_plain_ = false;        // with nothing but blanks since
};

}  // namespace gpulint
