#pragma once

#include <array>
#include <string_view>

namespace gpulint::rules {

// Words that the Kubernetes API takes where it takes no others (core/v1).

inline constexpr std::array<std::string_view, 2> toleration_operators = {"Equal", "Exists"};
inline constexpr std::array<std::string_view, 3> taint_effects = {"NoSchedule", "PreferNoSchedule",
                                                                  "NoExecute"};
inline constexpr std::array<std::string_view, 6> selector_operators = {
    "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"};

}  // namespace gpulint::rules
