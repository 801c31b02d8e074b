#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/engine/corpus.h"
#include "compiler/engine/registry.h"
#include "compiler/engine/selection.h"
#include "compiler/project/project.h"
#include "compiler/project/reread.h"

namespace gpulint {

/// Runs the enabled rules over one scope. Findings have their final severity; they are neither
/// sorted nor suppressed yet. `jobs`: as in `parallel_for`, for large scopes; it does not change
/// the findings.
[[nodiscard]] std::vector<Diagnostic> run_rules(const Corpus& corpus,
                                                std::span<const RegisteredRule> rules,
                                                const Selection& selection, unsigned jobs = 1);

/// The same in two steps. First the rules with DependsOn::file, whose findings stay valid as long
/// as their file does not change. The findings are raw and include rules that are not enabled.
[[nodiscard]] std::vector<Diagnostic> run_file_rules(const Corpus& corpus,
                                                     std::span<const RegisteredRule> rules,
                                                     const Selection& selection, unsigned jobs = 1);
/// The first step after edits: `before` has its findings before them.
[[nodiscard]] std::vector<Diagnostic> run_file_rules_again(const Corpus& edited_files,
                                                           const std::set<FileId>& edited,
                                                           const std::vector<Diagnostic>& before,
                                                           std::span<const RegisteredRule> rules,
                                                           const Selection& selection,
                                                           unsigned jobs = 1);
/// Whether findings of the first step are about what kustomize builds, or leaves in parts: that
/// depends on several files.
[[nodiscard]] bool is_kustomized(const Corpus& corpus);
/// Second step: the other rules. Returns all findings of the scope. `of_files`: from the first
/// step.
[[nodiscard]] std::vector<Diagnostic> run_scope_rules(const Corpus& corpus,
                                                      std::vector<Diagnostic> of_files,
                                                      std::span<const RegisteredRule> rules,
                                                      const Selection& selection,
                                                      unsigned jobs = 1);

using RuleCounts = std::map<std::string_view, std::ptrdiff_t>;  // by id

/// How many findings of at least this severity each rule has.
[[nodiscard]] RuleCounts count_by_rule(std::span<const Diagnostic> findings, Severity least);

/// A scope whose rules have run once.
struct CheckedScope {
  const Project& project;
  const Scope& scope;
  const Selection& selection;
  std::vector<Diagnostic> of_files;  ///< From run_file_rules().
};

/// The findings after edits: equal to run_rules() over everything, but rules that check each file
/// by itself run only over the edited files.
[[nodiscard]] std::vector<Diagnostic> check_again(const CheckedScope& before,
                                                  const Rereading& after);

/// Whether the finding is about placement, which other findings may cause.
[[nodiscard]] bool is_about_placement(const Diagnostic& finding);

/// Findings that may cause others: errors about what a file contains, with a fix.
[[nodiscard]] std::vector<Diagnostic> possible_causes(const std::vector<Diagnostic>& findings);

/// Findings about placement that other findings cause, by rule and message.
using Consequences = std::set<std::pair<std::string_view, std::string>>;

/// Those that disappear when the scope is read again with the fixes of `roots`, unless others
/// replace them. Empty for scopes of thousands of objects.
[[nodiscard]] Consequences find_consequences(const CheckedScope& checked,
                                             const std::vector<Diagnostic>& roots,
                                             const std::vector<Diagnostic>& findings);

}  // namespace gpulint
