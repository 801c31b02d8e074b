#pragma once

#include <vector>

#include "backends/backend.h"
#include "compiler/project/project.h"

namespace gpulint {

/// For each finding the object that it stands in. An object without a namespace is in `default`,
/// unless its kind is one that is in none.
[[nodiscard]] std::vector<JudgedObject> judged_objects(const Project& project,
                                                       const std::vector<Diagnostic>& findings);

}  // namespace gpulint
