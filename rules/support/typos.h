#pragma once

#include <string_view>

namespace gpulint::rules {

/// Whether one letter more, less, changed or two exchanged make `written` of `name`. Names that
/// differ in a digit, or in a short part (`pool-a`, `pool-b`), are different names.
[[nodiscard]] bool is_slip_of(std::string_view written, std::string_view name);

}  // namespace gpulint::rules
