#pragma once

#include <array>
#include <string_view>

#include "compiler/base/text.h"

namespace gpulint::rules {

// Words that the Kubernetes API takes where it takes no others (core/v1).

inline constexpr std::array<std::string_view, 2> toleration_operators = {"Equal", "Exists"};
inline constexpr std::array<std::string_view, 3> taint_effects = {"NoSchedule", "PreferNoSchedule",
                                                                  "NoExecute"};
inline constexpr std::array<std::string_view, 6> selector_operators = {
    "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"};

/// What people write for the operators of other systems: `Equals` means `In`, not `Exists`.
[[nodiscard]] inline std::string_view meant_operator(std::string_view written) {
  for (const std::string_view equal : {"equal", "equals", "==", "=", "eq"}) {
    if (equal_fold(written, equal)) return "In";
  }
  return nearest(written, selector_operators).value_or("");
}

}  // namespace gpulint::rules
