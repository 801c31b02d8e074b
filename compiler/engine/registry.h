#pragma once

#include <span>
#include <string_view>

#include "compiler/engine/rule.h"

namespace gpulint {

/// A rule with its page and policy. The table is generated from rules/*/ at build time.
struct RegisteredRule {
  const Rule* rule;
  std::string_view documentation;
  std::string_view policy;  ///< Its policy.cel (rule_policy.h); empty if there is none.
};

/// Every rule, sorted by id.
[[nodiscard]] std::span<const RegisteredRule> all_rules();

/// nullptr if no rule has this id, or had it.
[[nodiscard]] const RegisteredRule* find_rule(std::string_view id);

}  // namespace gpulint
