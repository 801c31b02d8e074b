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

/// Decides whether one fix is wanted; the project is the one that the finding speaks of.
using FixChooser = std::function<bool(const Project&, const Diagnostic&)>;

/// What fixing leads to. Nothing has been written yet.
struct FixOutcome {
  ChangedFiles files;                 ///< Only those that differ.
  std::unique_ptr<Project> project;   ///< After the last round.
  std::vector<Diagnostic> remaining;  ///< Findings of that project.
  std::size_t applied = 0;            ///< Fixes carried out, over all rounds.
};

/// Chooses the fixes of one round: those that can be carried out together and after which every
/// file parses as well as before. Where all together break a file, those of it are tried in halves.
[[nodiscard]] FixPlan plan_round(const SourceSet& sources, const std::vector<Diagnostic>& findings);

/// A project with its findings.
struct CheckedProject {
  std::unique_ptr<Project> project;
  std::vector<Diagnostic> findings;
};
/// Loads and checks the inputs, with texts that stand for what the disk holds.
using CheckInputs = std::function<CheckedProject(const Overlay&)>;

/// Applies fixes round by round until nothing changes, at most ten times.
/// `texts` stand for what the disk holds.
[[nodiscard]] FixOutcome fix_in_rounds(const Request& request, const FixChooser& wanted,
                                       Overlay texts, const CheckInputs& check);

}  // namespace gpulint
