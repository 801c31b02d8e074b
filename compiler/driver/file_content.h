#pragma once

#include "compiler/driver/project.h"
#include "compiler/inputs/joins.h"

namespace gpulint {

/// What a parsed file holds, for plan_joins(). Broken documents hold nothing.
[[nodiscard]] FileContent read_content(const Project& project, FileId file);

}  // namespace gpulint
