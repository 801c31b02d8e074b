#pragma once

// check: a scope → findings. Runs rules and policies, drops findings that follow from others,
// applies suppressions and baselines. It does not know whether fixes work, and does not print.

#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/check/run.h"
#include "compiler/engine/selection.h"
#include "compiler/project/project.h"

namespace gpulint {

// The steps of a check, in this order; pipeline.cpp calls them.

/// The user's selection; flags take precedence over gpulint.yaml.
[[nodiscard]] Selection select_rules(const ScopeConfig& config, const Request& request);

/// Runs the rules that check each file by itself. The arguments must outlive the result.
[[nodiscard]] CheckedScope check_files(const Project& project, const Scope& scope,
                                       const Selection& selection);

/// Runs the other rules. Drops findings that follow from others, and edits that cannot be applied.
/// Fixes are not verified yet.
[[nodiscard]] std::vector<Diagnostic> check_scope(const CheckedScope& checked);

/// Adds findings of the user's own policies, and notes on why files were compared. Drops what
/// gpulint.yaml ignores by path.
[[nodiscard]] std::vector<Diagnostic> complete_findings(const CheckedScope& checked,
                                                        std::vector<Diagnostic> findings);

/// The findings of all scopes and of gpulint.yaml: sorted, without duplicates, not suppressed, and
/// only in the named files.
[[nodiscard]] std::vector<Diagnostic> merge_findings(const Project& project, const Request& request,
                                                     std::vector<std::vector<Diagnostic>> found);

}  // namespace gpulint
