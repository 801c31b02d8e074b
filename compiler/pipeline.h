#pragma once

#include <memory>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/fix/fix.h"
#include "compiler/project/project.h"

// The whole program in one file: what happens to the inputs of a run, from bytes to findings.
// Commands call these functions and print what they return. The pipeline knows no command line, no
// output format and no terminal.

namespace gpulint {

class Progress;

/// Loads what the request names from `files`, which must outlive the project. Never fails as a
/// whole: unreadable files are in `errors`. `progress` may be null.
[[nodiscard]] std::unique_ptr<Project> load_project(const Request& request, const FileSystem& files,
                                                    Progress* progress = nullptr);

/// The same, with texts that replace files on the disk.
[[nodiscard]] std::unique_ptr<Project> load_project(const Request& request,
                                                    const Overlay& overlay = {},
                                                    Progress* progress = nullptr);

/// Every finding of a project, final: selected, with its severity, not suppressed, sorted.
/// `progress` may be null.
[[nodiscard]] std::vector<Diagnostic> check_project(const Project& project, const Request& request,
                                                    Progress* progress = nullptr);

/// Applies fixes round by round until nothing changes, at most ten times. Writes nothing.
/// `texts` replace files on the disk.
[[nodiscard]] FixOutcome fix_inputs(const Request& request, const FixChooser& wanted,
                                    Overlay texts = {});

}  // namespace gpulint
