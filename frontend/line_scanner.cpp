#include "frontend/line_scanner.h"

#include <algorithm>
#include <array>

#include "frontend/line_breaks.h"
#include "frontend/quoted_scalar.h"

namespace gpulint {
namespace {

constexpr std::array<std::string_view, 4> marks{"{{", "{%", "<%", "%{"};

[[nodiscard]] bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

[[nodiscard]] bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
         c == '-';
}

[[nodiscard]] Extent extent(std::size_t begin, std::size_t end) {
  return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
}

}  // namespace

void LineScanner::scan() {
  while (at_ < text_.size() && !(found_ && found_->is_certain)) scan_line();
}

bool LineScanner::ends_token(std::size_t ahead) const {
  return is_blank(peek(ahead)) || peek(ahead) == '\n';
}

void LineScanner::skip_line() {
  const std::size_t end = text_.find('\n', at_);
  at_ = end == std::string_view::npos ? text_.size() : end + 1;
}

void LineScanner::skip_blanks() {
  while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
}

void LineScanner::scan_line() {
  const std::size_t line = at_;
  skip_blanks();
  if (peek(0) == '\n') return skip_line();
  if (!brackets_.empty()) scan_flow_break();
  const auto indentation = static_cast<long>(at_ - line);
  if (in_block_scalar_ && indentation > block_parent_) return skip_line();
  in_block_scalar_ = false;
  long dash = -1;  // column of the last dash before the first key or value
  while (brackets_.empty() && (peek(0) == '-' || peek(0) == '?') && ends_token(1)) {
    dash = static_cast<long>(at_ - line);
    ++at_;
    skip_blanks();
  }
  dash_column_ = dash;
  scan_tokens(line);
}

void LineScanner::scan_flow_break() {
  const bool ends_entry = peek(0) == ',' || peek(0) == '}';
  const bool begins_value = has_key_mark_ && peek(0) == ':' && ends_token(1);
  if ((is_lone_key_ && ends_entry) || begins_value)
    breaks_behind_keys_.push_back(extent(token_end_, at_));
}

void LineScanner::scan_tokens(std::size_t line) {
  const std::size_t first = at_;
  // A block scalar belongs to the key of its line, or to the dash before it.
  if (has_key_) last_parent_ = key_column_;
  if (dash_column_ >= 0) last_parent_ = dash_column_;
  key_column_ = static_cast<long>(first - line);
  is_token_start_ = true;
  has_key_ = has_comment_ = false;
  property_.reset();
  while (at_ < text_.size() && text_[at_] != '\n') {
    if (scan_mark() || scan_comment(first) || scan_quotes() || scan_block_header() ||
        scan_property() || scan_alias() || scan_key_mark()) {
      continue;
    }
    if (at_ >= text_.size() || text_[at_] == '\n') break;
    scan_other();
  }
  if (!has_comment_) token_end_ = at_;
  if (at_ < text_.size() && text_[at_] == '\n') ++at_;
}

bool LineScanner::scan_mark() {
  if (purpose_ != Purpose::template_marks) return false;
  for (const std::string_view mark : marks) {
    if (text_.compare(at_, mark.size(), mark) != 0) continue;
    const bool is_certain = is_token_start_ && mark != "<%";
    if (!found_ || is_certain) found_ = {extent(at_, at_ + 2), is_certain};
    at_ += mark.size();
    is_token_start_ = false;
    return true;
  }
  return false;
}

bool LineScanner::scan_comment(std::size_t first) {
  if (text_[at_] != '#' || (at_ > first && !is_blank(text_[at_ - 1]))) return false;
  if (at_ > first) token_end_ = at_;
  at_ = std::min(text_.find('\n', at_), text_.size());
  has_comment_ = true;
  return true;
}

bool LineScanner::scan_quotes() {
  if (!is_token_start_ || (text_[at_] != '"' && text_[at_] != '\'')) return false;
  const std::uint32_t size = read_quoted(text_.substr(at_)).size;
  if (text_[at_] == '"') scan_escapes(text_.substr(at_, size));
  at_ += size;
  is_token_start_ = is_entry_start_ = false;
  return true;
}

void LineScanner::scan_escapes(std::string_view quoted) {
  for (std::size_t i = quoted.find('\\'); i < quoted.size(); i = quoted.find('\\', i + 2)) {
    const std::string_view behind = quoted.substr(i + 1);
    const std::size_t size = break_length(behind);
    if (is_other_break(behind.substr(0, size))) {
      escaped_breaks_.push_back(extent(at_ + i, at_ + i + 1 + size));
    }
  }
}

/// In YAML 1.1 `?` between brackets needs no blank after it if an entry begins there. A text that
/// is an item is not checked: its mark alone makes it a mapping.
bool LineScanner::scan_key_mark() {
  if (purpose_ != Purpose::properties || !is_entry_start_ || text_[at_] != '?') return false;
  is_entry_start_ = false;
  const std::size_t mark = at_++;
  if (ends_token(0) || std::string_view("?:,[]{}#").find(peek(0)) != std::string_view::npos) {
    is_token_start_ = ends_token(0);
  } else if (brackets_.back() == '{') {
    key_marks_.push_back(extent(mark, at_));
  } else {
    item_mark_ = mark;
  }
  has_key_mark_ = !ends_token(0);
  return true;
}

bool LineScanner::scan_block_header() {
  if (!is_token_start_ || !brackets_.empty() || (text_[at_] != '|' && text_[at_] != '>'))
    return false;
  std::size_t end = text_.find_first_not_of("0123456789+-", at_ + 1);
  if (end == std::string_view::npos) end = text_.size();
  const std::size_t rest = text_.find_first_not_of(" \t\r", end);
  if (rest != std::string_view::npos && text_[rest] != '\n' && text_[rest] != '#') return false;
  in_block_scalar_ = true;
  block_parent_ = has_key_ ? key_column_ : dash_column_ >= 0 ? dash_column_ : last_parent_;
  if (property_) block_properties_.push_back(extent(*property_, at_));
  at_ = std::min(text_.find('\n', at_), text_.size());
  return true;
}

bool LineScanner::scan_property() {
  if (!is_token_start_ || (text_[at_] != '&' && text_[at_] != '!')) return false;
  is_entry_start_ = false;
  if (!property_) property_ = at_;
  while (!ends_token(0)) ++at_;
  return true;
}

/// An alias as Go's parser ends it: also at a colon.
bool LineScanner::scan_alias() {
  if (!is_token_start_ || text_[at_] != '*') return false;
  const std::size_t begin = at_++;
  while (is_word(peek(0))) ++at_;
  is_token_start_ = is_entry_start_ = false;
  const char next = peek(0);
  const bool ends_entry = next == ',' || next == ']' || next == '}';
  if (ends_token(0) || (!brackets_.empty() && ends_entry) || (next == ':' && ends_token(1))) {
    aliases_.push_back(extent(begin, at_));
  }
  return true;
}

/// A colon makes the text after the mark a key; a comma or bracket comes too early.
void LineScanner::scan_item_mark(char c) {
  if (!item_mark_ || (c == ':' && !ends_token(0))) return;
  if (c == ':') key_marks_.push_back(extent(*item_mark_, *item_mark_ + 1));
  item_mark_.reset();
}

void LineScanner::scan_other() {
  const char c = text_[at_++];
  if (is_blank(c)) return;
  property_.reset();
  if (std::string_view(":{}[],").find(c) != std::string_view::npos) {
    is_lone_key_ = c == '{' || c == ',';
    if (c != ':' || ends_token(0)) has_key_mark_ = false;
    scan_item_mark(c);
  }
  if (c == ':' && ends_token(0)) {
    is_token_start_ = has_key_ = true;
  } else if (is_token_start_ && (c == '[' || c == '{')) {
    brackets_ += c;
  } else if (!brackets_.empty() && (c == ']' || c == '}')) {
    brackets_.pop_back();
    is_token_start_ = false;
  } else {
    is_token_start_ = !brackets_.empty() && c == ',';
  }
  is_entry_start_ = !brackets_.empty() && is_token_start_ && c != ':';
}

}  // namespace gpulint
