#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpulint::events {

/// A text whose messages stand on one line each and without escapes, and where each of its bytes
/// comes from.
struct FlatText {
  std::string text;
  std::vector<std::uint32_t> origins;  ///< Of each byte, and one more for the end.

  [[nodiscard]] std::size_t origin(std::size_t at) const { return origins[at]; }
};

/// Ends a string of JSON whose own quotes were escaped.
inline constexpr char end_of_string = '\x1f';

/// What is read of a text at most.
inline constexpr std::size_t most_bytes = 32U << 20;

/// Joins the lines over which YAML, an editor or a terminal broke a message, resolves `\"`, `''`
/// and `\n`, and writes apostrophes plainly.
[[nodiscard]] FlatText flatten(std::string_view text);

}  // namespace gpulint::events
