#pragma once

#include <algorithm>
#include <cstdint>

namespace gpulint {

/// An answer based on partial knowledge. The order matters: all_of() is the minimum, any_of() the
/// maximum.
enum class Ternary : std::uint8_t { no, unknown, yes };

[[nodiscard]] constexpr Ternary ternary(bool answer) { return answer ? Ternary::yes : Ternary::no; }

template <class... Rest>
[[nodiscard]] constexpr Ternary all_of(Ternary first, Rest... rest) {
  return std::min({first, rest...});
}
[[nodiscard]] constexpr Ternary any_of(Ternary a, Ternary b) { return std::max(a, b); }

[[nodiscard]] constexpr Ternary negate(Ternary answer) {
  if (answer == Ternary::unknown) return answer;
  return answer == Ternary::yes ? Ternary::no : Ternary::yes;
}

}  // namespace gpulint
