#pragma once

// check: a scope → findings: runs rules and policies, drops findings that follow from others,
// applies suppressions and baselines. It does not know whether fixes work and does not print.

#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/check/run.h"
#include "compiler/engine/selection.h"
#include "compiler/project/project.h"

namespace gpulint {

// The steps of a check, in this order; pipeline.cpp calls them.

/// The user's selection, flags over gpulint.yaml.
[[nodiscard]] Selection select_rules(const ScopeConfig& config, const Request& request);

/// Runs the rules that check each file by itself. All must outlive the result.
[[nodiscard]] CheckedScope check_files(const Project& project, const Scope& scope,
                                       const Selection& selection);

/// Runs the other rules. Without findings that follow from others, and without edits that cannot be
/// applied; fixes are not proven yet.
[[nodiscard]] std::vector<Diagnostic> check_scope(const CheckedScope& checked);

/// Adds what the user's own policies find, and says why files were compared. Without what
/// gpulint.yaml ignores by path.
[[nodiscard]] std::vector<Diagnostic> complete_findings(const CheckedScope& checked,
                                                        std::vector<Diagnostic> findings);

/// All scopes' findings with those about gpulint.yaml: sorted, each once, not suppressed, and of
/// named files alone.
[[nodiscard]] std::vector<Diagnostic> merge_findings(const Project& project, const Request& request,
                                                     std::vector<std::vector<Diagnostic>> found);

}  // namespace gpulint
