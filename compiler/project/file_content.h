#pragma once

#include <vector>

#include "compiler/project/joins.h"
#include "compiler/project/project.h"
#include "compiler/project/release_values.h"

namespace gpulint {

/// What a parsed file holds, for plan_joins(), but for the chart of values. Broken documents hold
/// nothing.
[[nodiscard]] FileContent read_content(const Project& project, FileId file);

/// The chart that the file holds values of; dearer, and only of use where there are nodes.
[[nodiscard]] FlyteChart read_values_chart(const Project& project, FileId file);

/// What the pods and objects of the file go by; of use where there are such objects.
[[nodiscard]] Needs read_needs(const Project& project, FileId file);

/// What releases take their values from.
[[nodiscard]] std::vector<ReleaseSource> read_release_sources(const Project& project, FileId file);
/// Whether the file holds the object that a release names.
[[nodiscard]] bool holds_object(const Project& project, FileId file, const ReleaseSource& source);

}  // namespace gpulint
