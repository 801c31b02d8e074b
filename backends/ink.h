#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "backends/backend.h"

namespace gpulint {

/// What a piece of terminal output is; the colours are chosen in one place.
enum class Ink : std::uint8_t {
  error,
  warning,
  info,
  frame,
  related,
  strong,
  code,
  faint,
  removed,
  added
};

[[nodiscard]] Ink ink_of(Severity severity);

/// Of a line of a unified diff.
[[nodiscard]] Ink ink_of_diff_line(std::string_view line);

/// The text in its colour where the presentation asks for colour.
[[nodiscard]] std::string paint(Ink ink, std::string_view text, const Presentation& presentation);

/// `path:line:column`, safe to print, and linked to the file where the presentation asks for links.
[[nodiscard]] std::string location_text(const Run& run, Span span);

}  // namespace gpulint
