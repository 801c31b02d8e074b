#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.h"

namespace gpulint {

/// A line without markup; code keeps its backticks, a link becomes `text (target)`.
[[nodiscard]] std::string plain_inline(std::string_view text);

/// The paragraphs under the heading with this name as one plain line; empty if there is none.
[[nodiscard]] std::string markdown_section(std::string_view text, std::string_view heading);

/// Removes what follows the language of a code block: flags for the test that runs it.
[[nodiscard]] std::string without_test_flags(std::string_view text);

/// The document for a terminal: wrapped, indented, safe to print.
[[nodiscard]] std::string markdown_for_terminal(std::string_view text,
                                                const Presentation& presentation);

/// The document as HTML elements, everything escaped; `##` becomes `<h3>`.
[[nodiscard]] std::string markdown_to_html(std::string_view text);

}  // namespace gpulint
