#include "compiler/server/position.h"

#include <algorithm>

#include "frontend/load.h"

namespace gpulint::server {
namespace {

/// Bytes of the character at the begin of a text; a byte that is not UTF-8 counts as one.
[[nodiscard]] std::uint32_t bytes_of_first(std::string_view text) {
  return std::max(utf8_length(text), std::uint32_t{1});
}

/// Characters outside of the basic plane, of 4 bytes, are two units of UTF-16.
[[nodiscard]] std::uint32_t units_of(std::uint32_t bytes, Units units) {
  if (units == Units::utf8) return bytes;
  return bytes == 4 ? 2 : 1;
}

}  // namespace

Lines::Lines(std::string_view text, Units units) : text_(text), units_(units), starts_{0} {
  for (std::size_t at = text.find_first_of("\r\n"); at != std::string_view::npos;
       at = text.find_first_of("\r\n", at)) {
    const bool is_pair = text[at] == '\r' && at + 1 < text.size() && text[at + 1] == '\n';
    at += is_pair ? 2 : 1;
    starts_.push_back(static_cast<std::uint32_t>(at));
  }
}

Place Lines::place(std::uint32_t offset) const {
  offset = std::min(offset, static_cast<std::uint32_t>(text_.size()));
  const auto line = std::ranges::upper_bound(starts_, offset) - starts_.begin() - 1;
  Place result{static_cast<std::uint32_t>(line), 0};
  for (std::uint32_t at = starts_[static_cast<std::size_t>(line)]; at < offset;) {
    const std::uint32_t bytes = bytes_of_first(text_.substr(at));
    result.character += units_of(bytes, units_);
    at += bytes;
  }
  return result;
}

std::uint32_t Lines::offset(Place place) const {
  if (place.line >= starts_.size()) return static_cast<std::uint32_t>(text_.size());
  std::uint32_t at = starts_[place.line];
  for (std::uint32_t left = place.character; left > 0 && at < text_.size();) {
    if (text_[at] == '\r' || text_[at] == '\n') break;
    const std::uint32_t bytes = bytes_of_first(text_.substr(at));
    const std::uint32_t units = units_of(bytes, units_);
    if (units > left) break;
    at += bytes;
    left -= units;
  }
  return at;
}

}  // namespace gpulint::server
