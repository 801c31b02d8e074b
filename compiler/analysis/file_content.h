#pragma once

#include "compiler/analysis/project.h"
#include "compiler/inputs/joins.h"

namespace gpulint {

/// What a parsed file holds, for plan_joins(), but for the chart of values. Broken documents hold
/// nothing.
[[nodiscard]] FileContent read_content(const Project& project, FileId file);

/// The chart that the file holds values of; dearer, and only of use where there are nodes.
[[nodiscard]] FlyteChart read_values_chart(const Project& project, FileId file);

}  // namespace gpulint
