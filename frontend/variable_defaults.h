#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "compiler/ir/document.h"

namespace gpulint {

using VariableNames = std::set<std::string, std::less<>>;

/// The variables that a Flux Kustomization in the text sets (`spec.postBuild.substitute`). Their
/// defaults are not what Flux puts in.
[[nodiscard]] VariableNames substituted_variables(std::string_view text);

/// Gives scalars of one word the text that they have when nothing sets their variables:
/// `${GPU_COUNT:=1}` reads as `1`. These are the defaults of drone/envsubst, which Flux's postBuild
/// uses: `${X:=1}`, `${X=1}`, `${X:-1}`, `${X-1}`. Spans stay those of the file. Scalars that hold
/// a variable without a default, with an empty one, or one of `substituted` stay opaque.
void use_variable_defaults(Document& document, const VariableNames& substituted = {});

}  // namespace gpulint
