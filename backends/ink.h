#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "backends/backend.h"

namespace gpulint {

/// The role of a piece of terminal output; paint() chooses the colour.
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

/// The ink for a line of a unified diff.
[[nodiscard]] Ink ink_of_diff_line(std::string_view line);

/// The text in its colour, if the presentation has colours.
[[nodiscard]] std::string paint(Ink ink, std::string_view text, const Presentation& presentation);

/// `path:line:column`, safe to print, as a link to the file if the presentation has links.
[[nodiscard]] std::string location_text(const Run& run, Span span);

}  // namespace gpulint
