#pragma once

#include <string>
#include <utility>
#include <vector>

#include "compiler/cel/expression.h"

namespace gpulint::cel {

using Variables = std::vector<std::pair<std::string, Value>>;

/// More steps than this are open; Kubernetes gives up later, by a cost that is counted otherwise.
inline constexpr std::uint32_t most_steps = 20'000;

/// What a part of a program that passed check_types() comes to. Failures and open parts spread as
/// in CEL: `false && x` is false whatever x is.
[[nodiscard]] Value evaluate(const Program& program, Index part, Variables variables);

}  // namespace gpulint::cel
