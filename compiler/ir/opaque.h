#pragma once

#include <string_view>

namespace gpulint {

/// Whether text holds a placeholder that another tool fills in before Kubernetes reads it:
/// `{{ … }}`, `$VAR`, `${VAR}`, `$(VAR)`, `<NAME>`, `<% … %>`, `%NAME%`, `@NAME@`, `{name}`,
/// `__NAME__`, `PLACEHOLDER…`, `REPLACE_…`, `CHANGEME`, `YOUR_…`. Such a value may turn out to be
/// anything, so nothing is ever concluded from it.
[[nodiscard]] bool has_placeholder(std::string_view text);

}  // namespace gpulint
