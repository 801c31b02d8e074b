#pragma once

#include <cstddef>
#include <string>

#include "compiler/place/placements.h"
#include "compiler/project/project.h"

namespace gpulint {

/// Sets PlacementReport::rows: an owner and the objects that it created (Deployment, ReplicaSet,
/// pods) are one row where every node and the API server answer alike.
void fold_owned(const Project& project, Placements& placements);

/// The name of the row that shows a workload; empty where the row of its owner does. Of placements
/// with rows.
[[nodiscard]] std::string row_name(const Placements& placements, const Placement& placement,
                                   std::size_t workload);

}  // namespace gpulint
