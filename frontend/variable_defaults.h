#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "compiler/ir/document.h"

namespace gpulint {

/// The values of a file's variables.
struct Substitutes {
  std::map<std::string, std::optional<std::string>, std::less<>> values;  ///< nullopt: unknown.
  bool may_set_others = false;  ///< Any variable may have an unknown value.
};

/// Substitutes variables in scalars of one word: `${GPU_COUNT:=1}` becomes `1` if nothing sets the
/// variable. Defaults have the syntax of drone/envsubst, which Flux's postBuild uses: `${X:=1}`,
/// `${X=1}`, `${X:-1}`, `${X-1}`. Spans stay those of the file. Scalars with a variable whose value
/// is unknown or empty stay opaque.
void use_variable_defaults(Document& document, const Substitutes& substitutes = {});

}  // namespace gpulint
