#pragma once

#include <string_view>

namespace gpulint::rules {

/// Whether `written` is `name` with one letter more, less, changed, or two exchanged. Names that
/// differ in a digit, or in a short part (`pool-a`, `pool-b`), are different names.
[[nodiscard]] bool is_slip_of(std::string_view written, std::string_view name);

}  // namespace gpulint::rules
