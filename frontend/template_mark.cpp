#include "frontend/template_mark.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "frontend/quoted_scalar.h"

namespace gpulint {
namespace {

constexpr std::array<std::string_view, 4> marks{"{{", "{%", "<%", "%{"};

[[nodiscard]] bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// Goes through a document line by line with just enough of YAML to tell what is quoted.
class Scanner {
 public:
  Scanner(std::string_view text, Extent range)
      : text_(text.substr(0, range.end)), at_(range.begin) {}

  [[nodiscard]] std::optional<TemplateMark> scan() {
    while (at_ < text_.size() && !(found_ && found_->is_certain)) scan_line();
    return found_;
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\n';
  }
  [[nodiscard]] bool ends_token(std::size_t ahead) const {
    return is_blank(peek(ahead)) || peek(ahead) == '\n';
  }
  void skip_line() {
    const std::size_t end = text_.find('\n', at_);
    at_ = end == std::string_view::npos ? text_.size() : end + 1;
  }
  void skip_blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }

  void scan_line() {
    const std::size_t line = at_;
    skip_blanks();
    if (peek(0) == '\n') return skip_line();
    const auto indentation = static_cast<long>(at_ - line);
    if (in_block_scalar_ && indentation > block_parent_) return skip_line();
    in_block_scalar_ = false;
    long dash = -1;  // column of the last dash before the first key or value
    while (flow_depth_ == 0 && peek(0) == '-' && ends_token(1)) {
      dash = static_cast<long>(at_ - line);
      ++at_;
      skip_blanks();
    }
    dash_column_ = dash;
    scan_tokens(line);
  }

  void scan_tokens(std::size_t line) {
    const std::size_t first = at_;
    // A block scalar belongs to the key of its line, or to the dash before it.
    if (has_key_) last_parent_ = key_column_;
    if (dash_column_ >= 0) last_parent_ = dash_column_;
    key_column_ = static_cast<long>(first - line);
    is_token_start_ = true;
    has_key_ = false;
    while (at_ < text_.size() && text_[at_] != '\n') {
      if (scan_mark() || scan_comment(first) || scan_quotes() || scan_block_header()) continue;
      if (at_ >= text_.size() || text_[at_] == '\n') break;
      scan_other();
    }
    if (at_ < text_.size() && text_[at_] == '\n') ++at_;
  }

  bool scan_mark() {
    for (const std::string_view mark : marks) {
      if (text_.compare(at_, mark.size(), mark) != 0) continue;
      const bool is_certain = is_token_start_ && mark != "<%";
      if (!found_ || is_certain) {
        const auto begin = static_cast<std::uint32_t>(at_);
        found_ = {{begin, begin + 2}, is_certain};
      }
      at_ += mark.size();
      is_token_start_ = false;
      return true;
    }
    return false;
  }

  bool scan_comment(std::size_t first) {
    if (text_[at_] != '#' || (at_ > first && !is_blank(text_[at_ - 1]))) return false;
    const std::size_t end = text_.find('\n', at_);
    at_ = end == std::string_view::npos ? text_.size() : end;
    return true;
  }

  bool scan_quotes() {
    if (!is_token_start_ || (text_[at_] != '"' && text_[at_] != '\'')) return false;
    at_ += read_quoted(text_.substr(at_)).size;
    is_token_start_ = false;
    return true;
  }

  bool scan_block_header() {
    if (!is_token_start_ || flow_depth_ > 0 || (text_[at_] != '|' && text_[at_] != '>'))
      return false;
    std::size_t end = text_.find_first_not_of("0123456789+-", at_ + 1);
    if (end == std::string_view::npos) end = text_.size();
    const std::size_t rest = text_.find_first_not_of(" \t\r", end);
    if (rest != std::string_view::npos && text_[rest] != '\n' && text_[rest] != '#') return false;
    in_block_scalar_ = true;
    block_parent_ = has_key_ ? key_column_ : dash_column_ >= 0 ? dash_column_ : last_parent_;
    at_ = std::min(text_.find('\n', at_), text_.size());
    return true;
  }

  void scan_other() {
    const char c = text_[at_];
    if (is_token_start_ && (c == '&' || c == '!')) {
      while (!ends_token(0)) ++at_;
      return;
    }
    ++at_;
    if (is_blank(c)) return;
    if (c == ':' && ends_token(0)) {
      is_token_start_ = has_key_ = true;
    } else if (is_token_start_ && (c == '[' || c == '{')) {
      ++flow_depth_;
    } else if (flow_depth_ > 0 && (c == ']' || c == '}')) {
      --flow_depth_;
      is_token_start_ = false;
    } else {
      is_token_start_ = flow_depth_ > 0 && c == ',';
    }
  }

  std::string_view text_;
  std::size_t at_;
  std::optional<TemplateMark> found_;
  bool in_block_scalar_ = false;
  bool is_token_start_ = true;
  bool has_key_ = false;
  long block_parent_ = -1;  // column that the block scalar's lines must exceed
  long key_column_ = 0;
  long dash_column_ = -1;
  long last_parent_ = -1;  // of the lines before: key or dash
  int flow_depth_ = 0;
};

}  // namespace

std::optional<TemplateMark> find_template_mark(std::string_view text, Extent range) {
  const std::string_view own = text.substr(range.begin, range.end - range.begin);
  const auto occurs = [&](std::string_view mark) {
    return own.find(mark) != std::string_view::npos;
  };
  if (!occurs(marks[0]) && !occurs(marks[1]) && !occurs(marks[2]) && !occurs(marks[3])) {
    return std::nullopt;
  }
  return Scanner(text, range).scan();
}

}  // namespace gpulint
