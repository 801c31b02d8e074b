#pragma once

#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/check/run.h"

namespace gpulint {

/// Removes fixes in the wrong place, and says in the help where to change the value:
/// - in manifests that a chart rendered, if the values are among the inputs: the next rendering
///   would undo them;
/// - in values files that other scopes share, if a later file can set the value.
void withhold_fixes(const CheckedScope& checked, std::vector<Diagnostic>& findings);

}  // namespace gpulint
