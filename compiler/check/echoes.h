#pragma once

#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/check/run.h"

namespace gpulint {

/// Whether the finding tells what fits where, which other findings may be the reason of.
[[nodiscard]] bool is_about_placement(const Diagnostic& finding);

/// The findings that may be why others are there: errors about what is written, with a fix.
[[nodiscard]] std::vector<Diagnostic> possible_roots(const std::vector<Diagnostic>& findings);

/// Takes away what has the cause of another finding: findings about placement that are gone when
/// the scope is read again with the fixes of `roots`, unless others come in their place. Not in
/// scopes of thousands of objects.
void drop_echoes(const CheckedScope& checked, const std::vector<Diagnostic>& roots,
                 std::vector<Diagnostic>& findings);

}  // namespace gpulint
