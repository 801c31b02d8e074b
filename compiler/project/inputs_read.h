#pragma once

#include <vector>

#include "compiler/project/project.h"

namespace gpulint {

/// Whether gpulint reads anything: pod templates, nodes or node pools, Flyte configuration, or
/// configuration of the GPU software on the nodes. Syntax errors count, since they may hide any of
/// these; unrendered templates do not.
[[nodiscard]] bool reads_anything(const Project& project);

/// The named files from which it reads nothing of that, in order.
[[nodiscard]] std::vector<FileId> named_without_reading(const Project& project);

}  // namespace gpulint
