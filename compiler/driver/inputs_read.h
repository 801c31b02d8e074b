#pragma once

#include "compiler/driver/project.h"

namespace gpulint {

/// Whether gpulint reads anything from a file: pod templates, nodes or node pools, Flyte
/// configuration, or configuration of the GPU software on the nodes. Syntax errors count, since
/// they may hide any of these; unrendered templates do not.
[[nodiscard]] bool reads_anything(const Project& project, FileId file);

/// The same for the whole run.
[[nodiscard]] bool reads_anything(const Project& project);

}  // namespace gpulint
