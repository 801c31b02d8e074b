#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "compiler/base/source_file.h"

namespace gpulint {

/// A place in a file, drawn for a terminal: one line of source and where to underline it. All
/// widths are terminal cells; the text is safe to print.
struct Snippet {
  std::uint32_t line = 1;       ///< Line of the first byte of the span.
  std::uint32_t last_line = 1;  ///< Line of its last byte; trailing blanks do not count.
  std::string text;             ///< The line, cut around the span with `…` if too long; empty for a
                                ///< file that is not text.
  std::size_t indent = 0;       ///< Cells before the underline.
  std::size_t width = 1;        ///< Cells of the underline, at least 1.
};

/// The span without the blanks and line breaks at its end; only blanks: the first byte stays.
[[nodiscard]] Span without_trailing_blanks(const SourceFile& file, Span span);

/// Draws the first line of a span in at most `limit` cells, at a cost independent of its length.
[[nodiscard]] Snippet make_snippet(const SourceFile& file, Span span, std::size_t limit);

}  // namespace gpulint
