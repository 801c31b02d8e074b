#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace gpulint {

/// A variable with a default, as drone/envsubst (path_parser: `=`, `:=`, `-`, `:-`) and shells
/// write it.
struct Variable {
  std::string_view text;      ///< `${GPU_COUNT:=1}`.
  std::string_view fallback;  ///< The default: `1`. May be empty, and may hold variables.
};

/// The variable with a default that begins at an offset of text; nullopt where none does.
[[nodiscard]] std::optional<Variable> variable_at(std::string_view text, std::size_t offset);

/// The first such variable that has a byte in text[begin, end); nullopt where none has.
[[nodiscard]] std::optional<Variable> variable_in(std::string_view text, std::size_t begin,
                                                  std::size_t end);

/// Whether text holds a placeholder that another tool fills in before Kubernetes reads it:
/// `{{ … }}`, `$VAR`, `${VAR}`, `$(VAR)`, `<NAME>`, `<% … %>`, `%NAME%`, `@NAME@`, `{name}`,
/// `__NAME__`, `PLACEHOLDER…`, `REPLACE_…`, `CHANGEME`, `YOUR_…`. Such a value may turn out to be
/// anything, so nothing is ever concluded from it.
[[nodiscard]] bool has_placeholder(std::string_view text);

}  // namespace gpulint
