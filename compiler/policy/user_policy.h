#pragma once

#include <optional>

#include "compiler/engine/config.h"
#include "compiler/policy/compose.h"

namespace gpulint::policy {

/// One of the user's own `policies` as the CEL of a rule; patterns are RE2 in both. nullopt if it
/// is about kinds that admission policies do not check.
[[nodiscard]] std::optional<AdmissionRule> admission_rule_of(const Policy& policy);

}  // namespace gpulint::policy
