#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "compiler/ir/document.h"

namespace gpulint {

/// What is put in for the variables of a file.
struct Substitutes {
  std::map<std::string, std::optional<std::string>, std::less<>> values;  ///< nullopt: unknown.
  bool may_set_others = false;  ///< Any variable may have a value that is unknown.
};

/// Gives scalars of one word the text that they have after substitution: `${GPU_COUNT:=1}` reads as
/// `1` where nothing sets the variable. The defaults are those of drone/envsubst, which Flux's
/// postBuild uses: `${X:=1}`, `${X=1}`, `${X:-1}`, `${X-1}`. Spans stay those of the file. Scalars
/// that hold a variable with an unknown or empty value stay opaque.
void use_variable_defaults(Document& document, const Substitutes& substitutes = {});

}  // namespace gpulint
