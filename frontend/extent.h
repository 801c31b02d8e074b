#pragma once

#include <cstdint>

namespace gpulint {

/// Byte offsets [begin, end) of a piece of some text.
struct Extent {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  [[nodiscard]] bool empty() const { return begin == end; }
};

}  // namespace gpulint
