#pragma once

#include <string>
#include <utility>
#include <vector>

#include "compiler/cel/expression.h"

namespace gpulint::cel {

using Variables = std::vector<std::pair<std::string, Value>>;

/// After more steps the result is unknown; Kubernetes stops later, by a cost that it counts
/// differently.
inline constexpr std::uint32_t most_steps = 20'000;

/// The value of a part of a program that passed check_types(). Failures and unknowns propagate as
/// in CEL: `false && x` is false for any x.
[[nodiscard]] Value evaluate(const Program& program, Index part, Variables variables);

}  // namespace gpulint::cel
