#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/engine/registry.h"
#include "compiler/engine/rule_policy.h"
#include "compiler/engine/selection.h"
#include "compiler/policy/inputs.h"

namespace gpulint::policy {

/// The blocks of variables.cel, in their order.
[[nodiscard]] const std::vector<CelBlock>& shared_variables();

/// A block of matches.cel; empty if there is none of this name.
[[nodiscard]] std::string_view find_match(std::string_view name);

/// The names after `variables.` in an expression, each once, in the order of the text.
[[nodiscard]] std::vector<std::string> used_variables(std::string_view expression);

// policy: rules and cluster facts → admission policies for an API server. A policy never denies
// what the rule accepts. It does not know files or commands.

enum class Action : std::uint8_t { deny, warn };

/// A rule, or one of the user's own policies, as part of an admission policy.
struct AdmissionRule {
  std::string id;
  std::vector<std::string> names;  ///< With which an annotation ignores it: names_of().
  RulePolicy policy;
  Action action = Action::warn;
};

/// All rules of one action in one policy. The API server shows only one denial, so one validation
/// has to name all findings.
struct AdmissionPolicy {
  std::string name;  ///< Of the policy and its binding.
  Action action = Action::warn;
  std::set<RulePolicy::On> on;       ///< The objects that it checks.
  std::vector<Variable> conditions;  ///< Match conditions: when it is evaluated.
  std::vector<Variable> variables;   ///< Each uses those before it; the last is `findings`.
  std::vector<std::string> rules;    ///< Ids.
  bool takes_parameters = false;     ///< The facts of write_policies.h.
};

/// Which rules become policies, and their severity there.
struct Choices {
  Selection selection;
  bool denies_by_facts = false;  ///< Also deny findings that depend on the known nodes.
};

/// A rule without a policy because the inputs lack something.
struct LeftOut {
  std::string id;
  std::string lacks;
};

struct Composed {
  std::vector<AdmissionPolicy> policies;  ///< deny, warn; without empty ones.
  std::vector<LeftOut> left_out;
};

[[nodiscard]] std::vector<AdmissionRule> admission_rules(std::span<const RegisteredRule> rules,
                                                         const Choices& choices, const Given& given,
                                                         std::vector<LeftOut>& left_out);

/// `rules` in order; `given` are variables in addition to those of variables.cel.
[[nodiscard]] std::vector<AdmissionPolicy> compose(const std::vector<AdmissionRule>& rules,
                                                   const Given& given);

/// Conditions and variables of `expressions`, which apply the safe fixes of the rules.
[[nodiscard]] AdmissionPolicy compose_mutations(const std::vector<AdmissionRule>& rules,
                                                const std::vector<std::string>& expressions,
                                                const Given& given, std::string name);

}  // namespace gpulint::policy
