#include "frontend/block_lines.h"

#include <algorithm>
#include <utility>

#include "frontend/line_breaks.h"

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

  /// False where the line is no part of the scalar.
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

/// Goes through the lines as Go's yaml.v2 does (scannerc.go, yaml_parser_scan_block_scalar).
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

  /// Up to the next line that holds something behind its indentation.
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

}  // namespace

BlockLines read_block_lines(std::string_view text, std::uint32_t header,
                            std::optional<std::uint32_t> parent) {
  return Reader(text, parent).read(header);
}

std::optional<std::string> read_old_block_value(std::string_view text, const BlockLines& lines,
                                                bool folded) {
  return OldValueReader(text, lines, folded).read();
}

}  // namespace gpulint
