#pragma once

#include <memory>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/fix/fix.h"
#include "compiler/project/project.h"
#include "compiler/why/explain.h"

// The whole program in one file: what happens to the inputs of a run, from bytes to findings.
// Commands call these functions and print what they return. The pipeline knows no command line, no
// output format and no terminal.

namespace gpulint {

class Progress;

/// Loads what the request names from `files`, which must outlive the project. Never fails as a
/// whole: unreadable files are in `errors`. `progress` may be null.
[[nodiscard]] std::unique_ptr<Project> load_project(const Request& request, const FileSystem& files,
                                                    Progress* progress = nullptr);

/// The same, with texts that stand for what the disk holds.
[[nodiscard]] std::unique_ptr<Project> load_project(const Request& request,
                                                    const Overlay& overlay = {},
                                                    Progress* progress = nullptr);

/// Every finding of a project, final: selected, with its severity, not suppressed, sorted.
/// `progress` may be null.
[[nodiscard]] std::vector<Diagnostic> check_project(const Project& project, const Request& request,
                                                    Progress* progress = nullptr);

/// Applies fixes round by round until nothing changes, at most ten times. Writes nothing.
/// `texts` stand for what the disk holds.
[[nodiscard]] FixOutcome fix_inputs(const Request& request, const FixChooser& wanted,
                                    Overlay texts = {});

/// Each subject's story with the smallest change of files that was found, or why there is none.
[[nodiscard]] Explanations explain_workloads(const Project& project, const Placements& placed,
                                             const WhyQuestion& question, const Request& request);

/// The stories for a page: of each report's first `rows` workloads those that do not surely fit.
[[nodiscard]] std::vector<ReportStories> explain_unplaced(const Project& project,
                                                          const Placements& placed,
                                                          const Request& request, std::size_t rows);

}  // namespace gpulint
