#pragma once

#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/check/run.h"

namespace gpulint {

/// Tries the fixes that need not mend a placement (all but FixProof::placement) on a copy of the
/// scope that is read, compiled and placed again. One after which a workload that fits some node
/// today may fit none, or after which there is an error that was not there, is unsafe, and its
/// title says why. Errors in text that nobody read before the fix do not count: below the key that
/// was ignored, in an object that the API server refused. Nothing is tried in scopes that know
/// neither nodes nor tasks; there fixes of FixProof::still_fits are unsafe.
void judge_fixes(const CheckedScope& checked, std::vector<Diagnostic>& findings);

}  // namespace gpulint
