#pragma once

#include <vector>

#include "compiler/why/story.h"
#include "compiler/why/tell.h"

namespace gpulint::why {

/// The nodes that do not certainly take the workload, those that fail alike together; the group
/// that misses least of what a person can change first, nodes without accelerators last.
[[nodiscard]] std::vector<Group> group_nodes(const Subject& subject);

}  // namespace gpulint::why
