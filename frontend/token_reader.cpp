#include "frontend/token_reader.h"

#include <algorithm>
#include <cstddef>

namespace gpulint {
namespace {

[[nodiscard]] bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
[[nodiscard]] bool is_blank_or_end(char c) { return is_blank(c) || c == '\0'; }

/// Where a property or an alias name ends.
[[nodiscard]] bool ends_name(char c) {
  return is_blank_or_end(c) || c == ',' || c == ']' || c == '}';
}

}  // namespace

TokenReader::TokenReader(std::string_view text, Extent range, FileId file,
                         std::vector<Span>& comments)
    : text_(text), at_(range.begin), end_(range.end), file_(file), comments_(&comments) {}

std::string_view TokenReader::text(Extent extent) const {
  return text_.substr(extent.begin, extent.end - extent.begin);
}

std::uint32_t TokenReader::line_end(std::uint32_t offset) const {
  const std::size_t end = text_.substr(0, end_).find_first_of("\r\n", offset);
  return end == std::string_view::npos ? end_ : static_cast<std::uint32_t>(end);
}

void TokenReader::read_comment() {
  const std::uint32_t end = line_end(at_);
  comments_->push_back({file_, at_, end});
  at_ = end;
}

void TokenReader::skip_blank() {
  for (; at_ < end_; ++at_) {
    if (text_[at_] == '#') read_comment();
    if (!is_blank(peek(at_))) return;
  }
}

void TokenReader::move_to(std::uint32_t offset) {
  const std::uint32_t target = std::min(offset, end_);
  while (at_ < target) {
    const std::size_t mark = text_.substr(0, target).find('#', at_);
    if (mark == std::string_view::npos) break;
    at_ = static_cast<std::uint32_t>(mark);
    read_comment();
  }
  at_ = target;
}

WrittenProperties TokenReader::read_properties() {
  WrittenProperties result{.extent = {at_, at_}};
  const auto read_one = [&](char mark, std::string_view& property) {
    if (peek(at_) != mark || !property.empty()) return false;
    const std::uint32_t begin = at_;
    while (!ends_name(peek(at_))) ++at_;
    result.extent.end = at_;
    property = text({begin, at_});
    skip_blank();
    return true;
  };
  while (read_one('&', result.anchor) || read_one('!', result.tag)) {
  }
  if (!result.anchor.empty()) result.anchor.remove_prefix(1);
  return result;
}

Style TokenReader::scalar_style() const {
  switch (peek(at_)) {
    case '\'':
      return Style::single_quoted;
    case '"':
      return Style::double_quoted;
    case '|':
      return Style::literal;
    case '>':
      return Style::folded;
    default:
      return Style::plain;
  }
}

std::uint32_t TokenReader::find_closing_quote(char quote) const {
  for (std::uint32_t at = at_ + 1; at < end_; ++at) {
    if (quote == '"' && text_[at] == '\\') {
      ++at;
    } else if (text_[at] == quote) {
      if (quote == '"' || peek(at + 1) != quote) return at + 1;
      ++at;
    }
  }
  return end_;
}

std::uint32_t TokenReader::match_marks(std::uint32_t offset, std::string_view value) const {
  auto left = std::ranges::count_if(value, [](char c) { return !is_blank(c); });
  for (; left > 0 && offset < end_; ++offset) {
    if (!is_blank(text_[offset])) --left;
  }
  return offset;
}

Extent TokenReader::read_scalar(std::string_view value, Style style) {
  const std::uint32_t begin = at_;
  switch (style) {
    case Style::single_quoted:
    case Style::double_quoted:
      at_ = find_closing_quote(peek(at_));
      break;
    case Style::literal:
    case Style::folded: {
      const std::uint32_t header = line_end(at_);
      const std::size_t comment = text({begin, header}).find(" #");
      if (comment != std::string_view::npos) {
        at_ += static_cast<std::uint32_t>(comment) + 1;
        read_comment();
      }
      at_ = header;
      while (at_ > begin && is_blank(text_[at_ - 1])) --at_;
      const std::uint32_t end = match_marks(header, value);
      if (end > header) at_ = end;
      break;
    }
    default:
      at_ = match_marks(at_, value);
      break;
  }
  return {begin, at_};
}

bool TokenReader::read_indicator(char indicator) {
  if (peek(at_) != indicator) return false;
  ++at_;
  return true;
}

Extent TokenReader::read_null() {
  for (const std::string_view word : {"~", "null", "Null", "NULL"}) {
    if (text_.substr(0, end_).substr(at_, word.size()) != word) continue;
    const auto end = static_cast<std::uint32_t>(at_ + word.size());
    if (!ends_name(peek(end)) && peek(end) != ':') continue;
    std::uint32_t next = end;
    while (peek(next) == ' ' || peek(next) == '\t') ++next;
    if (peek(next) == ':') break;
    at_ = end;
    return {end - static_cast<std::uint32_t>(word.size()), end};
  }
  return {at_, at_};
}

}  // namespace gpulint
