#pragma once

#include <string>
#include <string_view>

namespace gpulint {

/// Text for XML elements and quoted attributes: markup characters become references; characters
/// that are unsafe for a terminal or forbidden in XML 1.0 are spelt out. Line breaks and tabs stay.
[[nodiscard]] std::string escape_xml(std::string_view text);
/// The same for HTML. No line of the result is a command to a CI runner.
[[nodiscard]] std::string escape_markup(std::string_view text);
/// As escape_markup(), for text in elements only: quotes are not escaped.
[[nodiscard]] std::string escape_element(std::string_view text);

}  // namespace gpulint
