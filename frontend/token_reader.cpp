#include "frontend/token_reader.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "frontend/line_breaks.h"
#include "frontend/quoted_scalar.h"
#include "frontend/stream.h"

namespace gpulint {
namespace {

class Reader {
 public:
  Reader(std::string_view text, std::optional<std::uint32_t> parent)
      : text_(text), least_(parent ? *parent + 1 : 0), parent_(parent.value_or(0)) {}

  [[nodiscard]] BlockLines read(std::size_t header) {
    std::size_t at = header + 1;
    constexpr std::string_view indicators = "+-123456789";
    for (; at < text_.size() && indicators.find(text_[at]) != std::string_view::npos; ++at) {
      if (text_[at] == '+') lines_.keeps_breaks = true;
      if (text_[at] == '-') lines_.strips_breaks = true;
      if (text_[at] >= '1') indentation_ = parent_ + static_cast<std::size_t>(text_[at] - '0');
    }
    lines_.indentation = indentation_.value_or(0);
    lines_.least = std::max<std::size_t>(least_, 1);
    at = line_end(at);
    lines_.content = static_cast<std::uint32_t>(std::min(at + 1, text_.size()));
    lines_.end = static_cast<std::uint32_t>(at);
    while (at < text_.size() && read_line(at + 1)) at = line_end(at + 1);
    return lines_;
  }

 private:
  [[nodiscard]] std::size_t line_end(std::size_t at) const {
    return std::min(text_.find('\n', at), text_.size());
  }

  /// False if the line is not part of the scalar.
  [[nodiscard]] bool read_line(std::size_t begin) {
    const std::size_t first = std::min(text_.find_first_not_of(' ', begin), text_.size());
    const std::size_t spaces = first - begin;
    const bool is_blank = first == text_.size() || text_[first] == '\n' || text_[first] == '\r';
    if (spaces < indentation_.value_or(spaces + 1)) {
      if (!is_blank && text_[first] == '\t') lines_.tab = static_cast<std::uint32_t>(first);
      if (!is_blank && (lines_.tab || indentation_ || spaces < least_)) return false;
      if (!is_blank) indentation_ = spaces;
    }
    const std::size_t end = line_end(begin);
    const std::size_t own_breaks = end < text_.size() ? 1 : 0;
    if (is_blank && spaces <= indentation_.value_or(spaces)) {
      lines_.breaks += own_breaks;
      lines_.ends_in_indentation = own_breaks == 0 && spaces > 0;
    } else {
      lines_.end = static_cast<std::uint32_t>(end);
      lines_.breaks = own_breaks;
    }
    return true;
  }

  std::string_view text_;
  std::size_t least_;
  std::size_t parent_;
  std::optional<std::size_t> indentation_;
  BlockLines lines_;
};

/// Reads the lines as Go's yaml.v2 does (scannerc.go, yaml_parser_scan_block_scalar).
class OldValueReader {
 public:
  OldValueReader(std::string_view text, const BlockLines& lines, bool folded)
      : text_(text),
        lines_(lines),
        is_folded_(folded),
        indentation_(lines.indentation),
        at_(lines.content) {}

  [[nodiscard]] std::optional<std::string> read() {
    skip_empty_lines();
    while (at_ < text_.size() && spaces_ == indentation_) read_line();
    if (at_ < text_.size() && at_ <= lines_.end) return std::nullopt;
    if (!lines_.strips_breaks) value_ += break_value(last_break_);
    if (lines_.keeps_breaks) value_ += empty_lines_;
    return std::move(value_);
  }

 private:
  [[nodiscard]] bool is_at(char c) const { return at_ < text_.size() && text_[at_] == c; }
  [[nodiscard]] std::string_view take_break() {
    const std::string_view taken = text_.substr(at_, break_length(text_.substr(at_)));
    at_ += taken.size();
    return taken;
  }

  /// Skips to the next line with text after its indentation.
  void skip_empty_lines() {
    std::size_t most = 0;
    std::string_view last_break;
    do {
      for (spaces_ = 0; is_at(' ') && (indentation_ == 0 || spaces_ < indentation_); ++at_) {
        ++spaces_;
      }
      most = std::max(most, spaces_);
      last_break = take_break();
      empty_lines_ += break_value(last_break);
    } while (!last_break.empty());
    if (indentation_ == 0) indentation_ = std::max(most, lines_.least);
  }

  void read_line() {
    const bool is_indented = is_at(' ') || is_at('\t');
    const std::string_view before = break_value(last_break_);
    if (!is_folded_ || before != "\n" || was_indented_ || is_indented) {
      value_ += before;
    } else if (empty_lines_.empty()) {
      value_ += ' ';
    }
    value_ += empty_lines_;
    empty_lines_.clear();
    was_indented_ = is_indented;
    while (at_ < text_.size() && break_length(text_.substr(at_)) == 0) value_ += text_[at_++];
    last_break_ = take_break();
    skip_empty_lines();
  }

  std::string_view text_;
  const BlockLines& lines_;
  bool is_folded_;
  std::size_t indentation_;  // 0: not known yet
  std::size_t at_;
  std::size_t spaces_ = 0;  // before the line's text, indentation_ at most
  bool was_indented_ = false;
  std::string_view last_break_;  // of the last line with text
  std::string empty_lines_;      // their breaks since
  std::string value_;
};

[[nodiscard]] bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
[[nodiscard]] bool is_blank_or_end(char c) { return is_blank(c) || c == '\0'; }

[[nodiscard]] bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
         c == '-';
}

[[nodiscard]] bool is_beyond_ascii(char c) { return (static_cast<unsigned char>(c) & 0x80U) != 0; }

/// Where an anchor ends for the parser.
[[nodiscard]] bool ends_name(char c) {
  return is_blank_or_end(c) || c == ',' || c == ']' || c == '}' || c == '[' || c == '{';
}

[[nodiscard]] bool ends_flow_entry(char c) { return c == ',' || c == ']' || c == '}'; }

[[nodiscard]] bool is_in_tag(char c) {
  constexpr std::string_view marks = ";/?:@&=+$,.!~*'()[]%<>#";
  return is_word(c) || (c != '\0' && marks.find(c) != std::string_view::npos);
}

/// Reads the block scalar whose `|` or `>` is at `header`; `parent` is the column of the enclosing
/// block collection, or no value at the root.
[[nodiscard]] BlockLines read_block_lines(std::string_view text, std::uint32_t header,
                                          std::optional<std::uint32_t> parent) {
  return Reader(text, parent).read(header);
}

/// The value of such a scalar, `folded` or literal, with NEL, LS and PS as line breaks, as in YAML
/// 1.1. nullopt if the text after one of them ends the scalar because it is indented too little.
[[nodiscard]] std::optional<std::string> read_old_block_value(std::string_view text,
                                                              const BlockLines& lines,
                                                              bool folded) {
  return OldValueReader(text, lines, folded).read();
}

}  // namespace

std::uint32_t column_of(std::string_view text, std::uint32_t offset) {
  constexpr auto mark = static_cast<std::uint32_t>(byte_order_mark.size());
  const std::size_t end = text.substr(0, offset).rfind('\n');
  const auto line = static_cast<std::uint32_t>(end == std::string_view::npos ? 0 : end + 1);
  const bool has_mark = offset - line >= mark && text.substr(line).starts_with(byte_order_mark);
  return offset - line - (has_mark ? mark : 0);
}

TokenReader::TokenReader(std::string_view text, Extent range, Document& document)
    : text_(text), at_(range.begin), end_(range.end), document_(&document) {
  is_indenting_ = is_line_start(at_);
}

void TokenReader::enter(Context context, std::uint32_t begin) {
  context_ = context;
  collection_ = begin;
}

/// The least column of text that continues a plain scalar of the current collection.
std::uint32_t TokenReader::block_indentation() const {
  return collection_ == UINT32_MAX ? 0 : column(collection_) + 1;
}

std::string_view TokenReader::text(Extent extent) const {
  return text_.substr(extent.begin, extent.end - extent.begin);
}

bool TokenReader::is_line_start(std::uint32_t offset) const {
  const bool is_behind_mark =
      offset == byte_order_mark.size() && text_.starts_with(byte_order_mark);
  return offset == 0 || text_[offset - 1] == '\n' || is_behind_mark;
}

std::uint32_t TokenReader::column(std::uint32_t offset) const { return column_of(text_, offset); }

char TokenReader::previous_mark(std::uint32_t offset) const {
  while (offset > 0 && is_blank(text_[offset - 1])) --offset;
  const auto& comments = document_->comments;  // in order
  const auto behind = std::ranges::lower_bound(comments, offset, {}, &Span::begin);
  if (behind != comments.begin() && std::prev(behind)->end >= offset) return '#';
  return offset > 0 ? text_[offset - 1] : '\0';
}

void TokenReader::refuse(Extent where, std::string message, SyntaxError::Kind kind) {
  document_->errors.push_back({.span = {document_->file, where.begin, where.end},
                               .message = std::move(message),
                               .kind = kind});
}

std::uint32_t TokenReader::line_end(std::uint32_t offset) const {
  const std::size_t end = text_.substr(0, end_).find_first_of("\r\n", offset);
  return end == std::string_view::npos ? end_ : static_cast<std::uint32_t>(end);
}

void TokenReader::check_line_breaks(Extent where) {
  const std::string_view own = text(where);
  if (!std::ranges::any_of(own, is_beyond_ascii)) return;
  for (const std::string_view mark : {"\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"}) {
    const std::size_t found = own.find(mark);
    if (found == std::string_view::npos) continue;
    const auto at = static_cast<std::uint32_t>(where.begin + found);
    refuse({at, at + static_cast<std::uint32_t>(mark.size())},
           "an invisible character (U+0085, U+2028 or U+2029) ends the line here",
           SyntaxError::Kind::dialect);
  }
}

void TokenReader::read_comment() {
  const Extent comment{at_, line_end(at_)};
  document_->comments.push_back({document_->file, comment.begin, comment.end});
  is_behind_plain_ = false;  // a plain scalar does not go on below a comment
  check_line_breaks(comment);
  at_ = comment.end;
}

void TokenReader::read_gap_byte() {
  switch (text_[at_]) {
    case '#':
      read_comment();
      return;
    case '%':
      if (is_line_start(at_)) return refuse_directive();
      break;
    case '\t':
      check_tab();
      break;
    case '\n':
      is_indenting_ = true;
      break;
    case '-':
    case '?':
      is_indenting_ = true;
      is_behind_plain_ = false;
      break;
    case ' ':
    case '\r':
      break;
    default:
      is_indenting_ = false;
      is_behind_plain_ = false;
      break;
  }
  ++at_;
}

void TokenReader::skip_blank() {
  while (at_ < end_ &&
         (is_blank(text_[at_]) || text_[at_] == '#' || (text_[at_] == '%' && is_line_start(at_)))) {
    read_gap_byte();
  }
}

void TokenReader::move_to(std::uint32_t offset) {
  const std::uint32_t target = std::min(offset, end_);
  while (at_ < target) read_gap_byte();
}

void TokenReader::move_to_properties(std::uint32_t offset) {
  const std::uint32_t target = std::min(offset, end_);
  while (at_ < target && next() != '&' && next() != '!') read_gap_byte();
}

/// Whether only blanks precede a `{` on the text's first line: Kubernetes reads such a text without
/// those blanks, as JSON or else as YAML.
bool TokenReader::is_before_brace() const {
  const std::size_t begin = text_.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
  const std::size_t first = text_.find_first_not_of(" \t", begin);
  return first != std::string_view::npos && text_[first] == '{' && at_ < first;
}

bool TokenReader::starts_quoted_key() const {
  if (next() != '"' && next() != '\'') return false;
  std::uint32_t behind = at_ + read_quoted(rest()).size;
  while (peek(behind) == ' ' || peek(behind) == '\t') ++behind;
  return peek(behind) == ':' && is_blank_or_end(peek(behind + 1));
}

/// Tabs are allowed between tokens, but not as indentation where a key could begin.
void TokenReader::check_tab() {
  if (!is_indenting_ || context_ == Context::flow || at_ < block_scalar_end_) return;
  if (is_behind_plain_ && column(at_) >= block_indentation()) return;
  if (is_before_brace()) return;
  refuse({at_, at_ + 1}, "a tab indents this line, but YAML allows only spaces");
  is_indenting_ = false;  // one complaint a line
}

void TokenReader::refuse_directive() {
  const std::uint32_t begin = at_;
  at_ = line_end(at_);
  refuse({begin, at_}, "a line that begins with `%` is a directive, which is not allowed here");
}

bool TokenReader::read_indicator(char indicator) {
  if (next() != indicator) return false;
  is_indenting_ = indicator == '-' || indicator == '?';
  is_behind_plain_ = false;
  ++at_;
  return true;
}

void TokenReader::read_anchor(WrittenProperties& properties) {
  const std::uint32_t begin = at_++;
  while (!ends_name(next())) ++at_;
  is_indenting_ = false;
  properties.anchor = text({begin + 1, at_});
  properties.extent.end = at_;
  if (properties.anchor.empty()) {
    refuse({begin, at_}, "the name after `&` is missing");
  } else if (!std::ranges::all_of(properties.anchor, is_word)) {
    refuse({begin, at_},
           fmt::format("`{}` is not a name for an anchor: use only letters, digits, `-` and `_`",
                       properties.anchor),
           SyntaxError::Kind::dialect);
  }
}

void TokenReader::read_tag(WrittenProperties& properties) {
  const std::uint32_t begin = at_;
  const bool is_verbatim = rest().starts_with("!<");
  while (is_in_tag(next()) && !(is_verbatim && at_ > begin && text_[at_ - 1] == '>')) ++at_;
  is_indenting_ = false;
  const std::string_view tag = text({begin, at_});
  const std::size_t bracket = is_verbatim ? std::string_view::npos : tag.find_first_of(",[]");
  if (!is_blank_or_end(next()) || bracket != std::string_view::npos) {
    refuse({begin, at_}, fmt::format("the blank after the tag `{}` is missing", tag));
  }
  // For the parser the tag ends there, and a collection may begin.
  if (bracket != std::string_view::npos) at_ = begin + static_cast<std::uint32_t>(bracket);
  properties.tag = tag.substr(0, bracket);
  properties.extent.end = at_;
}

WrittenProperties TokenReader::read_properties() {
  WrittenProperties result{.extent = {at_, at_}};
  while (true) {
    if (next() == '&' && result.anchor.empty()) {
      read_anchor(result);
    } else if (next() == '!' && result.tag.empty()) {
      read_tag(result);
    } else {
      return result;
    }
    skip_blank();
  }
}

WrittenProperties TokenReader::read_lone_anchor() {
  WrittenProperties result{.extent = {at_, at_}};
  if (next() == '&') read_anchor(result);
  skip_blank();
  return result;
}

std::string_view TokenReader::read_alias() {
  const std::uint32_t begin = ++at_;
  while (is_word(next())) ++at_;
  return text({begin, at_});
}

std::uint32_t TokenReader::match_marks(std::uint32_t offset, std::string_view value) const {
  auto left = std::ranges::count_if(value, [](char c) { return !is_blank(c); });
  for (; left > 0 && offset < end_; ++offset) {
    if (!is_blank(text_[offset])) --left;
  }
  return offset;
}

void TokenReader::read_quoted_scalar(WrittenScalar& scalar) {
  QuotedScalar quoted = read_quoted(rest());
  if (quoted.problem) {
    refuse({at_ + quoted.problem->begin, at_ + quoted.problem->end}, quoted.problem->message,
           quoted.problem->is_dialect ? SyntaxError::Kind::dialect : SyntaxError::Kind::syntax);
  }
  at_ += quoted.size;
  scalar.has_other_breaks = quoted.has_other_breaks;
  scalar.has_value = true;
  scalar.is_verbatim = quoted.is_verbatim;
  scalar.value = std::move(quoted.value);
}

/// yaml-cpp loses a break of `>+`, and turns the break before mere indentation into a blank.
void TokenReader::mend_block_value(const BlockLines& lines, std::string_view value,
                                   WrittenScalar& scalar) {
  const bool has_false_blank =
      scalar.style == Style::folded && lines.ends_in_indentation && lines.breaks == 1;
  scalar.has_value = (lines.keeps_breaks || has_false_blank) && !lines.tab;
  if (scalar.has_value) {
    scalar.value = value.substr(0, value.find_last_not_of('\n') + 1);
    if (has_false_blank && scalar.value.ends_with(' ')) scalar.value.pop_back();
    if (!lines.strips_breaks) scalar.value.append(lines.breaks, '\n');
  }
}

void TokenReader::read_block_scalar(std::string_view value, WrittenScalar& scalar) {
  const std::uint32_t begin = at_;
  const BlockLines lines = read_block_lines(
      text_.substr(0, end_), begin,
      collection_ == UINT32_MAX ? std::nullopt : std::optional(column(collection_)));
  if (lines.tab)
    refuse({*lines.tab, *lines.tab + 1}, "a tab indents this line, but YAML allows only spaces");
  block_scalar_end_ = lines.end;
  mend_block_value(lines, value, scalar);
  const std::uint32_t header_end = line_end(at_);
  const std::size_t comment = text({begin, header_end}).find('#');
  if (comment != std::string_view::npos) {
    at_ += static_cast<std::uint32_t>(comment);
    read_comment();
  }
  at_ = match_marks(header_end, value);
  while (at_ > begin && is_blank(text_[at_ - 1])) --at_;
  if (!holds_other_breaks(text({begin, at_}))) return;
  auto old = read_old_block_value(text_.substr(0, end_), lines, scalar.style == Style::folded);
  if (!old) return check_line_breaks({begin, at_});
  scalar.has_value = true;
  scalar.value = *std::move(old);
}

WrittenScalar TokenReader::read_scalar(std::string_view value) {
  WrittenScalar result{.extent = {at_, at_}};
  switch (next()) {
    case '\'':
      result.style = Style::single_quoted;
      read_quoted_scalar(result);
      break;
    case '"':
      result.style = Style::double_quoted;
      read_quoted_scalar(result);
      break;
    case '|':
      result.style = Style::literal;
      read_block_scalar(value, result);
      break;
    case '>':
      result.style = Style::folded;
      read_block_scalar(value, result);
      break;
    default:
      at_ = rest().starts_with(value) ? at_ + static_cast<std::uint32_t>(value.size())
                                      : match_marks(at_, value);
      check_line_breaks({result.extent.begin, at_});
      break;
  }
  result.extent.end = at_;
  is_indenting_ = false;
  is_behind_plain_ = result.style == Style::plain;
  return result;
}

bool TokenReader::ends_null(std::uint32_t offset, Role role) const {
  std::uint32_t behind = offset;
  while (peek(behind) == ' ' || peek(behind) == '\t') ++behind;
  const bool is_flow = context_ == Context::flow;
  switch (peek(behind)) {
    case '\0':
    case '\r':
    case '\n':
      return true;
    case ',':
    case ']':
    case '}':
      return is_flow;
    case '#':
      return behind > offset;
    case ':':
      return role == Role::key || (is_flow && ends_flow_entry(peek(behind + 1)));
    default:
      return false;
  }
}

Extent TokenReader::read_null(Role role) {
  for (const std::string_view word : {"~", "null", "Null", "NULL"}) {
    const std::uint32_t begin = at_;
    const auto end = static_cast<std::uint32_t>(begin + word.size());
    if (!rest().starts_with(word) || !ends_null(end, role)) continue;
    at_ = end;
    return {begin, end};
  }
  return {at_, at_};
}

}  // namespace gpulint
