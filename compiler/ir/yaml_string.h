#pragma once

#include <string>
#include <string_view>

namespace gpulint {

/// `value` as a YAML scalar that every reader takes for this string: plain where possible.
[[nodiscard]] std::string yaml_string(std::string_view value);

/// `value` between double quotes, in a form that YAML and JSON read alike.
[[nodiscard]] std::string double_quoted(std::string_view value);

}  // namespace gpulint
