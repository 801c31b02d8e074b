#pragma once

// fix: findings → fixes that work. It tries each fix on the scope in memory and keeps it if nothing
// gets worse. It does not write files.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/edit/fixer.h"
#include "compiler/project/project.h"
#include "compiler/project/write_changes.h"

namespace gpulint {

/// Whether to apply the fix of a finding of this project.
using FixChooser = std::function<bool(const Project&, const Diagnostic&)>;

/// The result of fixing. No file has been written yet.
struct FixOutcome {
  ChangedFiles files;                 ///< Only files that differ.
  std::unique_ptr<Project> project;   ///< After the last round.
  std::vector<Diagnostic> remaining;  ///< Findings of that project.
  std::size_t applied = 0;            ///< Number of fixes applied in all rounds.
};

/// Chooses the fixes of one round: those that can be applied together and after which every file
/// parses as well as before. If they break a file together, the fixes of that file are tried in
/// halves.
[[nodiscard]] FixPlan plan_round(const SourceSet& sources, const std::vector<Diagnostic>& findings);

/// A project with its findings.
struct CheckedProject {
  std::unique_ptr<Project> project;
  std::vector<Diagnostic> findings;
};
/// Loads and checks the inputs; the overlay's texts replace files on disk.
using CheckInputs = std::function<CheckedProject(const Overlay&)>;

/// Applies fixes round by round until nothing changes, at most ten times.
/// `texts` replace files on disk.
[[nodiscard]] FixOutcome fix_in_rounds(const Request& request, const FixChooser& wanted,
                                       Overlay texts, const CheckInputs& check);

}  // namespace gpulint
