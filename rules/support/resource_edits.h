#pragma once

#include <string_view>
#include <vector>

#include "compiler/base/diagnostic.h"
#include "compiler/base/source_file.h"
#include "compiler/model/workload.h"

namespace gpulint::rules {

/// Renames a resource in the limits and requests of all containers. No edits where a map that has
/// it already has the other name, too, or where one place cannot be edited.
[[nodiscard]] std::vector<Edit> rename_resource(const SourceSet& sources, const PodSpec& pod,
                                                std::string_view name, std::string_view new_name);

/// Moves an amount that stands beside `limits` into it; where there are none, it and the amounts
/// behind it below a new one.
[[nodiscard]] std::vector<Edit> move_to_limits(const SourceSet& sources, Node amount);

}  // namespace gpulint::rules
