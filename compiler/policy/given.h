#pragma once

#include <set>
#include <string>
#include <vector>

#include "compiler/model/corpus.h"

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
};

[[nodiscard]] Given give(const Corpus& corpus);

}  // namespace gpulint::policy
