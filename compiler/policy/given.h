#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "compiler/model/corpus/corpus.h"
#include "compiler/policy/facts.h"

namespace gpulint::policy {

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
  object      ///< Of parameters (write_facts.h), which change without the policy.
};

/// Literals that the API server surely compiles: it takes 100,000 characters.
[[nodiscard]] bool are_short(const Facts& facts);

/// `from` is settled.
[[nodiscard]] Given give(const Facts& facts, FactsFrom from);

}  // namespace gpulint::policy
