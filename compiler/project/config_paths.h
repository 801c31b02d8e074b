#pragma once

#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/project/project.h"

namespace gpulint {

/// A finding of `unmatched-config-path` for each name and glob of gpulint.yaml that says which
/// files belong where (`nodes`, `workloads`, `flyte.values`, `paths` of a scope, keys of
/// `per-file-ignores`) and that matches neither an input nor anything below the file's folder.
/// `exclude` may name what is not always there.
[[nodiscard]] std::vector<Diagnostic> report_unmatched_paths(const Project& project,
                                                             const RuleInfo& rule);

}  // namespace gpulint
