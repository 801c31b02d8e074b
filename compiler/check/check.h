#pragma once

// check: a scope → findings. Runs rules and policies, drops findings that follow from others,
// applies suppressions and baselines. It does not know whether fixes work, and does not print.

#include <set>
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

/// The same after edits of some files: `before` has the findings of these rules before them, in a
/// scope without kustomizations.
[[nodiscard]] CheckedScope check_edited_files(const Project& project, const Scope& scope,
                                              const Selection& selection,
                                              const std::set<FileId>& edited,
                                              const std::vector<Diagnostic>& before);

/// The findings of a scope. Fixes are not verified yet.
struct ScopeFindings {
  std::vector<Diagnostic> findings;
  Consequences consequences;  ///< They are not in `findings`.
  bool is_settled = true;     ///< False if the consequences may be other ones.
};

/// Runs the other rules. Drops consequences, and edits that cannot be applied. `known`: the
/// consequences of an earlier check, which need no search; may be null.
[[nodiscard]] ScopeFindings check_scope(const CheckedScope& checked, const Consequences* known);

/// Adds findings of the user's own policies, and notes on why files were compared. Drops what
/// gpulint.yaml ignores by path.
[[nodiscard]] std::vector<Diagnostic> complete_findings(const CheckedScope& checked,
                                                        std::vector<Diagnostic> findings);

/// The findings of all scopes and of gpulint.yaml: sorted, without duplicates, not suppressed, and
/// only in the named files.
[[nodiscard]] std::vector<Diagnostic> merge_findings(const Project& project, const Request& request,
                                                     std::vector<std::vector<Diagnostic>> found);

}  // namespace gpulint
