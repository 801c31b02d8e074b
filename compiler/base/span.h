#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>

namespace gpulint {

/// Index of a file in its SourceSet.
using FileId = std::uint32_t;

/// Half-open byte range [begin, end) of one file. An empty span is a place, not text.
/// Spans are made by the frontend and only joined or narrowed afterwards.
struct Span {
  FileId file = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  [[nodiscard]] constexpr bool empty() const { return begin == end; }
  [[nodiscard]] constexpr std::uint32_t size() const { return end - begin; }
  [[nodiscard]] constexpr bool contains(Span other) const {
    return file == other.file && begin <= other.begin && other.end <= end;
  }
  /// Whether they have a byte in common.
  [[nodiscard]] constexpr bool overlaps(Span other) const {
    return file == other.file && begin < other.end && other.begin < end;
  }
  friend constexpr auto operator<=>(const Span&, const Span&) = default;
};

/// The smallest span that covers both; both must lie in the same file.
[[nodiscard]] constexpr Span join(Span a, Span b) {
  return {a.file, std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

}  // namespace gpulint
