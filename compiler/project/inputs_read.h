#pragma once

#include <string>
#include <vector>

#include "compiler/project/project.h"
#include "compiler/project/request.h"

namespace gpulint {

/// Whether gpulint reads anything: pod templates, nodes or node pools, Flyte configuration, or
/// configuration of the GPU software on the nodes. Syntax errors count, since they may hide any of
/// these; unrendered templates do not.
[[nodiscard]] bool reads_anything(const Project& project);

/// The named files from which it reads nothing of that, in order.
[[nodiscard]] std::vector<FileId> named_without_reading(const Project& project);

/// Why files of --values are none that gpulint knows; empty where any of them is read. Only of a
/// project whose scopes were analyzed.
[[nodiscard]] std::string describe_unread_values(const Project& project, const Request& request);

}  // namespace gpulint
