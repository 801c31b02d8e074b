#pragma once

#include <string>
#include <string_view>

namespace gpulint {

/// Text as XML shows it, in elements and in quoted attributes: markup characters become
/// references, what a terminal must not see (and XML 1.0 forbids) is spelt out. Line breaks and
/// tabs stay.
[[nodiscard]] std::string escape_xml(std::string_view text);
/// The same for HTML. No line of the result is a command to the runner of a pipeline.
[[nodiscard]] std::string escape_markup(std::string_view text);
/// As escape_markup(), for text in elements only: quotes stay as they are.
[[nodiscard]] std::string escape_element(std::string_view text);

}  // namespace gpulint
