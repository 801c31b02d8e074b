#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/extent.h"

namespace gpulint {

/// A directive of a template (`{{ … }}`, `{% … %}`, `<% … %>`, `%{ … }`) where YAML would read it:
/// outside comments, quotes and block scalars.
struct TemplateMark {
  Extent where;
  /// At the start of a value or a line, where it cannot be YAML. Otherwise it is part of a plain
  /// scalar, which may be valid YAML.
  bool is_certain = false;
};

/// Scans a document line by line, with just enough of YAML to know what is quoted.
class LineScanner {
 public:
  enum class Purpose : bool { template_marks, properties };

  LineScanner(std::string_view text, Extent range, Purpose purpose)
      : text_(text.substr(0, range.end)), at_(range.begin), purpose_(purpose) {}

  /// Scans to the end, or to the first certain mark if marks are requested.
  void scan();

  /// The first certain mark of a template, else the first uncertain one.
  [[nodiscard]] const std::optional<TemplateMark>& mark() const { return found_; }
  /// Anchors and tags on the line of a block scalar's header, before the header.
  [[nodiscard]] const std::vector<Extent>& block_properties() const { return block_properties_; }
  /// Aliases, including `*`, without the colon that may follow.
  [[nodiscard]] const std::vector<Extent>& aliases() const { return aliases_; }
  /// Line breaks, with comments between them, after a key in braces that has no value, up to the
  /// comma or brace; or between a key after `?` and its colon.
  [[nodiscard]] const std::vector<Extent>& breaks_behind_keys() const {
    return breaks_behind_keys_;
  }
  /// Between brackets: `?` right before a key.
  [[nodiscard]] const std::vector<Extent>& key_marks() const { return key_marks_; }
  /// In double quotes: `\` and a line break after it that only YAML 1.1 knows.
  [[nodiscard]] const std::vector<Extent>& escaped_breaks() const { return escaped_breaks_; }

 private:
  [[nodiscard]] char peek(std::size_t ahead) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\n';
  }
  [[nodiscard]] bool ends_token(std::size_t ahead) const;
  void skip_line();
  void skip_blanks();
  void scan_line();
  void scan_flow_break();
  void scan_tokens(std::size_t line);
  bool scan_mark();
  bool scan_comment(std::size_t first);
  bool scan_quotes();
  void scan_escapes(std::string_view quoted);
  bool scan_key_mark();
  void scan_item_mark(char c);
  bool scan_block_header();
  bool scan_property();
  bool scan_alias();
  void scan_other();

  std::string_view text_;
  std::size_t at_;
  Purpose purpose_;
  std::optional<TemplateMark> found_;
  std::vector<Extent> block_properties_;
  std::vector<Extent> aliases_;
  std::vector<Extent> breaks_behind_keys_;
  std::vector<Extent> key_marks_;
  std::vector<Extent> escaped_breaks_;
  std::optional<std::size_t> property_;  // where those before the next token begin
  bool in_block_scalar_ = false;
  bool is_token_start_ = true;
  bool has_key_ = false;
  long block_parent_ = -1;  // column that the block scalar's lines must exceed
  long key_column_ = 0;
  long dash_column_ = -1;
  long last_parent_ = -1;        // of the lines before: key or dash
  std::string brackets_;         // those that are open
  bool is_lone_key_ = false;     // between brackets: no colon since the last comma or bracket
  bool has_key_mark_ = false;    // between brackets: a key behind `?`, no colon since
  bool is_entry_start_ = false;  // between brackets: behind a comma or bracket
  std::optional<std::size_t> item_mark_;  // `?` in a sequence whose colon is still to come
  bool has_comment_ = false;              // on this line
  std::size_t token_end_ = 0;             // of the last line that is more than a comment
};

}  // namespace gpulint
