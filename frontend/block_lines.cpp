#include "frontend/block_lines.h"

#include <algorithm>

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
    at = line_end(at);
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

}  // namespace

BlockLines read_block_lines(std::string_view text, std::uint32_t header,
                            std::optional<std::uint32_t> parent) {
  return Reader(text, parent).read(header);
}

}  // namespace gpulint
