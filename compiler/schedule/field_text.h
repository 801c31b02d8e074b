#pragma once

#include <string>
#include <string_view>

#include "compiler/ir/field.h"

namespace gpulint {

/// Whether the field's text is what the scheduler will see; absent is the empty string.
[[nodiscard]] inline bool is_certain(const Field<std::string>& field) {
  return field.is_known() || field.is_absent();
}

/// The text of a field that is certain.
[[nodiscard]] inline std::string_view text_of(const Field<std::string>& field) {
  return field.is_known() ? std::string_view(field.value()) : std::string_view{};
}

}  // namespace gpulint
