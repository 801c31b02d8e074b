#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/engine/rule_policy.h"
#include "compiler/model/corpus/corpus.h"
#include "compiler/policy/node_facts.h"

namespace gpulint::policy {

/// Resources of one API group that policies are asked about.
struct Resources {
  RulePolicy::On on;
  std::string_view group;
  std::string_view operations;  ///< Separated by commas, as a YAML flow list has them.
  std::string_view kinds;       ///< Separated by commas.

  [[nodiscard]] std::vector<std::string> kind_list() const;
  /// The plural names of `kinds`, separated by commas.
  [[nodiscard]] std::string names() const;
};

[[nodiscard]] std::span<const Resources> asked_resources();

/// Kinds of pods and of what makes pods.
[[nodiscard]] std::vector<std::string> pod_kinds();

/// What the system runs is not users' to change, and the operator's own pods make nodes GPU nodes.
inline constexpr std::string_view exempt_namespaces = "kube-system, gpu-operator";

/// A variable of a policy.
struct Variable {
  std::string name;
  std::string expression;
};

/// What the inputs and gpulint's own tables give to CEL.
struct Given {
  std::vector<Variable> variables;
  /// What rules may need (`needs` of a policy.cel) and the inputs have: `nodes` …
  std::set<std::string, std::less<>> known;
  bool facts_are_parameters = false;
};

/// Where a policy takes the facts from.
enum class FactsFrom : std::uint8_t {
  automatic,  ///< `literals`, unless the API server would not take as long an expression.
  literals,   ///< Written into the policy.
  object      ///< Of parameters (write_policies.h), which change without the policy.
};

/// Literals that the API server surely compiles: it takes 100,000 characters.
[[nodiscard]] bool are_short(const Facts& facts);

/// `from` is settled.
[[nodiscard]] Given give(const Facts& facts, FactsFrom from);

}  // namespace gpulint::policy
