#pragma once

#include <string>
#include <string_view>

namespace gpulint {

/// Text as XML and HTML show it, in elements and in quoted attributes: markup characters become
/// references, what a terminal must not see (and XML 1.0 forbids) is spelt out. Line breaks and
/// tabs stay.
[[nodiscard]] std::string escape_markup(std::string_view text);
/// The same where text can only stand in an element: quotes stay as they are.
[[nodiscard]] std::string escape_element(std::string_view text);

}  // namespace gpulint
