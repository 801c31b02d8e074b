#pragma once

#include <vector>

#include "compiler/analysis/project.h"
#include "compiler/base/diagnostic.h"

namespace gpulint {

/// Values that do not stand in the file as Helm has them: takes away fixes that would change what
/// is around the value or path of a setting (`parameters`, `set`), and says of what stands in the
/// base64 of a Secret why there is none. Python sources are edited by rules about these alone, what
/// is larger than any YAML document by none.
void drop_unfit_edits(const Scope& scope, std::vector<Diagnostic>& findings);

/// Takes away fixes in files that were not UTF-8: their bytes are not those that the edits count.
/// Echoes are found with these fixes (echoes.h), so that this comes behind them.
void drop_edits_of_transcoded(const SourceSet& sources, std::vector<Diagnostic>& findings);

}  // namespace gpulint
