#pragma once

#include <string>
#include <string_view>

namespace gpulint::python {

/// The parts of a string's text.
struct StringParts {
  bool is_raw = false;
  bool is_bytes = false;
  bool has_fields = false;   ///< An f-string, or a t-string.
  std::string_view content;  ///< Between the quotes.
};
[[nodiscard]] StringParts split_string(std::string_view literal);

/// What the content of a string that is not raw means. Names of code points (`\N{…}`) are kept as
/// they are written.
[[nodiscard]] std::string unescape(std::string_view content);

}  // namespace gpulint::python
