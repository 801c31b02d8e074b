#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/engine/rule_policy.h"

namespace gpulint::policy {

/// The blocks of variables.cel, in their order.
[[nodiscard]] const std::vector<CelBlock>& shared_variables();

/// A block of matches.cel; empty where there is none of this name.
[[nodiscard]] std::string_view find_match(std::string_view name);

/// The names behind `variables.` in an expression, each once, in order of the text.
[[nodiscard]] std::vector<std::string> used_variables(std::string_view expression);

}  // namespace gpulint::policy
