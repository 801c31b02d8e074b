#pragma once

#include <span>
#include <string>
#include <string_view>

namespace gpulint::policy {

/// A CEL string literal.
[[nodiscard]] std::string cel_string(std::string_view text);

/// A CEL list of strings, several a line.
[[nodiscard]] std::string cel_list(std::span<const std::string> texts);

/// A CEL number with a fraction, so that all amounts have one type: `8.0`, `15.89`.
[[nodiscard]] std::string cel_double(double value);

}  // namespace gpulint::policy
