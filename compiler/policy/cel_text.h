#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace gpulint::policy {

/// A CEL string literal.
[[nodiscard]] std::string cel_string(std::string_view text);

/// Items separated by commas, several in a line; further lines begin with `indentation` blanks.
[[nodiscard]] std::string wrap_items(std::span<const std::string> items, std::size_t indentation);

/// A CEL list of strings, several in a line.
[[nodiscard]] std::string cel_list(std::span<const std::string> texts);

/// A CEL double, always with a fraction, to give all amounts one type: `8.0`, `15.89`.
[[nodiscard]] std::string cel_double(double value);

}  // namespace gpulint::policy
