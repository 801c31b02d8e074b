#pragma once

#include <string>
#include <vector>

#include "compiler/project/project.h"
#include "compiler/project/request.h"

namespace gpulint {

/// Whether the inputs contain anything that gpulint reads: pod templates, nodes or node pools,
/// Flyte configuration, or configuration of GPU software on the nodes. Documents with syntax errors
/// count, because they may contain any of these. Unrendered templates do not count.
[[nodiscard]] bool reads_anything(const Project& project);

/// The named files that contain none of that, in order.
[[nodiscard]] std::vector<FileId> named_without_content(const Project& project);

/// An error line if gpulint recognizes none of the files of --values; otherwise empty. The scopes
/// of the project must be analyzed.
[[nodiscard]] std::string describe_unread_values(const Project& project, const Request& request);

/// A line for each task of --task that Flyte rejects, ready to print. These tasks have no place for
/// a finding. If no scope runs them, Flyte's defaults decide.
[[nodiscard]] std::vector<std::string> refuse_tasks(const Scopes& scopes, const Request& request);

}  // namespace gpulint
