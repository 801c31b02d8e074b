#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/engine/corpus.h"
#include "compiler/engine/rule_policy.h"
#include "compiler/policy/node_facts.h"

namespace gpulint::policy {

/// Resources of one API group that policies check.
struct Resources {
  RulePolicy::On on;
  std::string_view group;
  std::string_view operations;  ///< Separated by commas, as in a YAML flow list.
  std::string_view kinds;       ///< Separated by commas.

  [[nodiscard]] std::vector<std::string> kind_list() const;
  /// The plural names of `kinds`, separated by commas.
  [[nodiscard]] std::string names() const;
};

[[nodiscard]] std::span<const Resources> asked_resources();

/// Pods, and kinds that create pods.
[[nodiscard]] std::vector<std::string> pod_kinds();

/// Users cannot change system pods, and the pods of the GPU Operator set up GPU nodes.
inline constexpr std::string_view exempt_namespaces = "kube-system, gpu-operator";

/// A variable of a policy.
struct Variable {
  std::string name;
  std::string expression;
};

/// The variables from the inputs and gpulint's tables.
struct Given {
  std::vector<Variable> variables;
  /// The needs of rules (`needs` of a policy.cel) that the inputs meet: `nodes` …
  std::set<std::string, std::less<>> known;
  bool facts_are_parameters = false;
};

/// Where a policy reads the facts.
enum class FactsFrom : std::uint8_t {
  automatic,  ///< `literals`, unless the expression is too long for the API server.
  literals,   ///< Written into the policy.
  object      ///< Parameters (write_policies.h), which change without the policy.
};

/// Whether the API server certainly compiles the literals: it accepts 100,000 characters.
[[nodiscard]] bool are_short(const Facts& facts);

/// `from` is not `automatic`.
[[nodiscard]] Given give(const Facts& facts, FactsFrom from);

}  // namespace gpulint::policy
