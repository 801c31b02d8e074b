#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/engine/registry.h"
#include "compiler/engine/selection.h"
#include "compiler/model/corpus/corpus.h"
#include "compiler/project/project.h"
#include "compiler/project/reread.h"

namespace gpulint {

/// Runs the enabled rules over one scope. Findings carry their final severity; they are neither
/// sorted nor suppressed yet. `jobs` as for `parallel_for`, used in large scopes; whatever it is,
/// so are the findings.
[[nodiscard]] std::vector<Diagnostic> run_rules(const Corpus& corpus,
                                                std::span<const RegisteredRule> rules,
                                                const Selection& selection, unsigned jobs = 1);

/// The same in two steps. First the rules with DependsOn::file, of whose findings those hold on
/// whose file does not change: raw, those of rules that are not enabled among them.
[[nodiscard]] std::vector<Diagnostic> run_file_rules(const Corpus& corpus,
                                                     std::span<const RegisteredRule> rules,
                                                     const Selection& selection, unsigned jobs = 1);
/// Then the others, which makes all findings of the scope. `of_files`: the first step's.
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
  std::vector<Diagnostic> of_files;  ///< run_file_rules() of it.
};

/// What the rules find after edits: as run_rules() over all of it, but rules that judge each file
/// by itself run over the edited ones alone.
[[nodiscard]] std::vector<Diagnostic> check_again(const CheckedScope& before,
                                                  const Rereading& after);

/// Whether the finding tells what fits where, which other findings may be the reason of.
[[nodiscard]] bool is_about_placement(const Diagnostic& finding);

/// The findings that may be why others are there: errors about what is written, with a fix.
[[nodiscard]] std::vector<Diagnostic> possible_causes(const std::vector<Diagnostic>& findings);

/// Takes away what has the cause of another finding: findings about placement that are gone when
/// the scope is read again with the fixes of `roots`, unless others come in their place. Not in
/// scopes of thousands of objects.
void drop_consequences(const CheckedScope& checked, const std::vector<Diagnostic>& roots,
                       std::vector<Diagnostic>& findings);

}  // namespace gpulint
