#pragma once

#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/check/run.h"
#include "compiler/project/request.h"

namespace gpulint {

/// Removes fixes that must not be offered: those in the wrong place (withhold_fixes.h), and, of
/// rules with FixProof::placement, those with which the scope, read again, still has the finding,
/// or has more findings of any selected rule at warning level. Also marks fixes unsafe that were
/// not seen to be safe. `findings`: of the scope's rules, before suppression. `request`: what the
/// project was loaded with.
[[nodiscard]] std::vector<Diagnostic> verify_fixes(const CheckedScope& checked,
                                                   const Request& request, const LoadProject& load,
                                                   std::vector<Diagnostic> findings);

}  // namespace gpulint
