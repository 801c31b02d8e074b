#pragma once

#include <string>
#include <vector>

#include "compiler/why/story.h"
#include "compiler/why/subject.h"

namespace gpulint::why {

/// What would make it fit beside a change of files, each tried by placing: labels that somebody has
/// to set, another MIG strategy, another demand of the task. Ranked, one of each kind.
[[nodiscard]] std::vector<Way> find_ways(const Subject& subject, const std::vector<Group>& groups);

/// Why no line of configuration helps: what an accelerator can never request of these nodes, a
/// device that they do not have, a label that somebody must set.
[[nodiscard]] std::string find_obstacle(const Subject& subject, const std::vector<Group>& groups);

}  // namespace gpulint::why
