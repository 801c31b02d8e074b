#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/ir/document.h"

namespace gpulint {

/// Goes through the text of simple YAML byte by byte and finds where its tokens end. Offsets are
/// bytes of the text; what is asked about stands where the scanner is.
class SimpleScanner {
 public:
  SimpleScanner(std::string_view text, std::uint32_t at) : text_(text), at_(at) {}

  [[nodiscard]] std::uint32_t at() const { return at_; }
  [[nodiscard]] bool is_done() const { return at_ >= text_.size(); }
  [[nodiscard]] std::string_view text(std::uint32_t begin, std::uint32_t end) const {
    return text_.substr(begin, end - begin);
  }
  /// NUL behind the end.
  [[nodiscard]] char peek(std::size_t at) const { return at < text_.size() ? text_[at] : '\0'; }
  [[nodiscard]] char next() const { return peek(at_); }

  void move_to(std::uint32_t at) { at_ = at; }
  void skip() { ++at_; }
  void skip_spaces() {
    while (next() == ' ') ++at_;
  }
  [[nodiscard]] std::uint32_t line_end();
  [[nodiscard]] bool is_line_end() const { return is_line_end(at_); }

  [[nodiscard]] bool starts_item() const { return next() == '-' && is_blank_or_end(at_ + 1); }
  [[nodiscard]] bool starts_flow() const { return next() == '[' || next() == '{'; }
  [[nodiscard]] bool starts_quoted() const { return next() == '"' || next() == '\''; }

  enum class Context : bool { block, flow };
  [[nodiscard]] bool starts_plain(Context context) const;
  /// Where a plain scalar ends, blanks behind it not taken off: at the line's end, a tab, a
  /// comment, a `:` before a blank; in flow context at a mark of its own, too.
  [[nodiscard]] std::uint32_t plain_end(Context context) const;
  /// Where the `:` stands behind a key; nothing where there is none.
  [[nodiscard]] std::optional<std::uint32_t> find_colon();

  struct BlockScalar {
    std::uint32_t end = 0;  ///< Behind its last byte that is no blank.
    std::string value;      ///< Ends in one line break.
  };
  /// The lines of a block scalar below a key or `-` in `column`; moves behind them. Nothing where
  /// they are not simple: blank lines in folded text, lines of odd indentation.
  [[nodiscard]] std::optional<BlockScalar> read_block_scalar(Style style, std::uint32_t column);

 private:
  class BlockLines;

  [[nodiscard]] bool is_line_end(std::size_t at) const {
    return at >= text_.size() || text_[at] == '\n';
  }
  [[nodiscard]] bool is_blank_or_end(std::size_t at) const {
    return is_line_end(at) || text_[at] == ' ';
  }
  /// Whether a `:` in front of this is no part of a plain scalar.
  [[nodiscard]] bool ends_word(std::size_t at, Context context) const;

  std::string_view text_;
  std::uint32_t at_;
  std::uint32_t line_end_ = 0;  // of the line that was asked about last
};

}  // namespace gpulint
