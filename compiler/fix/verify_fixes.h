#pragma once

#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/check/run.h"
#include "compiler/project/request.h"

namespace gpulint {

/// Takes away fixes that are not to be offered:
/// - of rules with FixProof::placement, those with which the scope, read again, still has the
///   finding, or has more findings of any selected rule at warning level;
/// - in manifests that a chart rendered, where the values are among the inputs: a fix there would
///   be gone with the next rendering. The finding then says so;
/// - in layers of values that other scopes share (shared_layers.h).
/// `findings` are those of the scope's rules, before suppression; `options` those that the project
/// was loaded with.
[[nodiscard]] std::vector<Diagnostic> verify_fixes(const CheckedScope& checked,
                                                   const Request& request, const LoadProject& load,
                                                   std::vector<Diagnostic> findings);

}  // namespace gpulint
