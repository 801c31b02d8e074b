#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/driver/project.h"

namespace gpulint {

/// Decides whether one fix is wanted; the project is the one that the finding speaks of.
using FixChooser = std::function<bool(const Project&, const Diagnostic&)>;

/// What fixing leads to. Nothing has been written yet.
struct FixOutcome {
  struct ChangedFile {
    std::string before;
    std::string after;
  };
  std::map<std::string, ChangedFile> files;  ///< By path as in SourceFile; only those that differ.
  std::unique_ptr<Project> project;          ///< After the last round.
  std::vector<Diagnostic> remaining;         ///< Findings of that project.
  std::size_t applied = 0;                   ///< Fixes carried out, over all rounds.
};

/// Applies fixes round by round until nothing changes, at most ten times. A file whose text would
/// no longer parse as well as before keeps the text it had.
/// `texts` stand for what the disk holds.
[[nodiscard]] FixOutcome fix_inputs(const Options& options, const FixChooser& wanted,
                                    Overlay texts = {});

}  // namespace gpulint
