#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace gpulint::server {

/// How a client counts characters in a line.
enum class Units : std::uint8_t { utf8, utf16 };

/// A position of the protocol: both from 0.
struct Place {
  std::uint32_t line = 0;
  std::uint32_t character = 0;  ///< In Units.
  friend auto operator<=>(const Place&, const Place&) = default;
};

/// The lines of a text. A line ends with `\n`, `\r\n` or `\r`. The text must outlive it.
class Lines {
 public:
  Lines(std::string_view text, Units units);

  /// Offsets in bytes; those behind the end are clamped.
  [[nodiscard]] Place place(std::uint32_t offset) const;
  /// Clamped to the end of the line, and of the text. A place inside a character is moved to its
  /// begin.
  [[nodiscard]] std::uint32_t offset(Place place) const;

 private:
  std::string_view text_;
  Units units_;
  std::vector<std::uint32_t> starts_;  // byte offset of each line
};

}  // namespace gpulint::server
