#pragma once

#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/project/project.h"

namespace gpulint {

/// A finding of `unmatched-config-path` for each name or glob in gpulint.yaml that matches no input
/// and no file below the folder of gpulint.yaml. Checked are `nodes`, `workloads`, `flyte.values`,
/// `paths` of a scope, `chart` and `values` in `render`, and the keys of `per-file-ignores`;
/// `exclude` may name files that come and go.
[[nodiscard]] std::vector<Diagnostic> report_unmatched_paths(const Project& project,
                                                             const RuleInfo& rule);

}  // namespace gpulint
