#include "frontend/simple_scanner.h"

#include <algorithm>
#include <array>
#include <utility>

#include "frontend/quoted_scalar.h"

namespace gpulint {
namespace {

using ByteSet = std::array<bool, 256>;

[[nodiscard]] constexpr ByteSet byte_set(std::string_view bytes) {
  ByteSet set{};
  for (const char c : bytes) set[static_cast<unsigned char>(c)] = true;
  return set;
}
[[nodiscard]] constexpr bool has(const ByteSet& set, char c) {
  return set[static_cast<unsigned char>(c)];
}

/// What a plain scalar may begin with; `-` too, where something follows at once.
constexpr ByteSet begins_plain = [] {
  ByteSet set =
      byte_set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./$<(=~^+\\");
  for (std::size_t c = 0x80; c < 0x100; ++c) set[c] = true;
  return set;
}();
constexpr ByteSet ends_block_plain = byte_set("\n\t:#");
constexpr ByteSet ends_flow_plain = byte_set("\n\t:#,?[]{}");

/// Where a plain scalar may end.
[[nodiscard]] constexpr const ByteSet& ends_of(SimpleScanner::Context context) {
  return context == SimpleScanner::Context::flow ? ends_flow_plain : ends_block_plain;
}

}  // namespace

std::uint32_t SimpleScanner::line_end() {
  if (at_ > line_end_ || line_end_ == 0) {
    line_end_ = static_cast<std::uint32_t>(std::min(text_.find('\n', at_), text_.size()));
  }
  return line_end_;
}

bool SimpleScanner::starts_plain(Context context) const {
  if (next() != '-') return has(begins_plain, next());
  return !is_blank_or_end(at_ + 1) && !has(ends_of(context), peek(at_ + 1));
}

bool SimpleScanner::ends_word(std::size_t at, Context context) const {
  if (is_blank_or_end(at) || text_[at] == '\t') return true;
  return context == Context::flow && has(ends_flow_plain, text_[at]);
}

std::uint32_t SimpleScanner::plain_end(Context context) const {
  const ByteSet& ends = ends_of(context);
  for (std::uint32_t end = at_;; ++end) {
    while (end < text_.size() && !has(ends, text_[end])) ++end;
    if (end >= text_.size()) return end;
    const bool goes_on = (text_[end] == '#' && text_[end - 1] != ' ') ||
                         (text_[end] == ':' && !ends_word(end + 1, context));
    if (!goes_on) return end;
  }
}

std::optional<std::uint32_t> SimpleScanner::find_colon() {
  std::uint32_t end = at_;
  if (starts_quoted()) {
    end += read_quoted(text(at_, line_end())).size;
    while (peek(end) == ' ') ++end;
    if (!is_blank_or_end(end + 1)) return std::nullopt;
  } else if (starts_plain(Context::block)) {
    end = plain_end(Context::block);
  } else {
    return std::nullopt;
  }
  return peek(end) == ':' ? std::optional(end) : std::nullopt;
}

/// The lines of a block scalar as they are read.
class SimpleScanner::BlockLines {
 public:
  BlockLines(std::string_view text, Style style)
      : text_(text), is_folded_(style == Style::folded) {}

  void add_blank(std::uint32_t spaces) {
    widest_blank_ = std::max(widest_blank_, spaces);
    ++blank_lines_;
  }

  /// The line [begin, end) with so many spaces in front; false where it is not simple.
  [[nodiscard]] bool add(std::uint32_t begin, std::uint32_t end, std::uint32_t spaces) {
    if (indentation_ == 0) indentation_ = spaces;
    if (spaces < indentation_ || end == text_.size() || text_[begin + spaces] == '\t') return false;
    const bool is_odd = spaces > indentation_ || blank_lines_ > 0 || text_[end - 1] == ' ';
    if (is_folded_ && is_odd) return false;
    scalar_.value.append(blank_lines_, '\n');
    blank_lines_ = 0;
    const std::uint32_t content = begin + indentation_;
    scalar_.value.append(text_.substr(content, end - content)) += is_folded_ ? ' ' : '\n';
    scalar_.end = end;
    while (text_[scalar_.end - 1] == ' ' || text_[scalar_.end - 1] == '\t') --scalar_.end;
    return true;
  }

  [[nodiscard]] std::optional<BlockScalar> take() && {
    if (scalar_.value.empty() || widest_blank_ > indentation_) return std::nullopt;
    scalar_.value.back() = '\n';
    return std::move(scalar_);
  }

 private:
  std::string_view text_;
  bool is_folded_;
  std::uint32_t indentation_ = 0;  // of the first line; 0 before it
  std::uint32_t widest_blank_ = 0;
  std::size_t blank_lines_ = 0;  // since the last line that is none
  BlockScalar scalar_;
};

std::optional<SimpleScanner::BlockScalar> SimpleScanner::read_block_scalar(Style style,
                                                                           std::uint32_t column) {
  BlockLines lines(text_, style);
  while (!is_done()) {
    const std::uint32_t begin = at_;
    skip_spaces();
    if (is_done()) return std::nullopt;
    const std::uint32_t spaces = at_ - begin;
    if (next() == '\n') {
      lines.add_blank(spaces);
    } else if (spaces <= column) {
      at_ = begin;
      break;
    } else {
      at_ = line_end();
      if (!lines.add(begin, at_, spaces)) return std::nullopt;
    }
    ++at_;
  }
  return std::move(lines).take();
}

}  // namespace gpulint
