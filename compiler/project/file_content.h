#pragma once

#include <vector>

#include "compiler/project/joins.h"
#include "compiler/project/project.h"
#include "compiler/project/release_values.h"
#include "compiler/project/scopes.h"

namespace gpulint {

/// The content of a parsed file for plan_joins(), except `values` and `needs`. Documents with
/// syntax errors have no content.
[[nodiscard]] FileContent read_content(const Project& project, FileId file);

/// The chart whose values the file contains. This is slow, and useful only if there are nodes.
[[nodiscard]] FlyteChart read_values_chart(const Project& project, FileId file);

/// The objects and definitions that pods and objects of the file use.
[[nodiscard]] Needs read_needs(const Project& project, FileId file);

/// The sources of values of all releases in the file.
[[nodiscard]] std::vector<ReleaseSource> read_release_sources(const Project& project, FileId file);

/// Whether the file contains the ConfigMap or Secret that a release names.
[[nodiscard]] bool holds_object(const Project& project, FileId file, const ReleaseSource& source);

[[nodiscard]] bool holds_node(const Project& project, FileId file);
[[nodiscard]] bool holds_template(const Project& project, FileId file);

/// The files with Nodes. Empty if scopes have different ones, if there are many, or if no finding
/// would name them.
[[nodiscard]] std::vector<std::string> files_with_nodes(const Project& project,
                                                        const std::vector<ScopePlan>& plans);

}  // namespace gpulint
