#include "backends/stream_origin.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace gpulint {

std::string_view origin_of(const Run& run, Span place) {
  const auto after = std::ranges::upper_bound(
      run.origins, Span{place.file, place.begin, UINT32_MAX}, {}, &StreamOrigin::span);
  if (after == run.origins.begin()) return {};
  const StreamOrigin& before = *std::prev(after);
  return before.span.contains({place.file, place.begin, place.begin}) ? before.file
                                                                      : std::string_view{};
}

std::string origin_note(const Run& run, Span place) {
  const std::string_view file = origin_of(run, place);
  return file.empty() ? "" : fmt::format(" (from {})", file);
}

std::string message_with_origin(const Run& run, const Diagnostic& diagnostic) {
  return diagnostic.message + origin_note(run, diagnostic.span);
}

}  // namespace gpulint
