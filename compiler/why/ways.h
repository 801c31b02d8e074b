#pragma once

#include <string>
#include <vector>

#include "compiler/why/story.h"
#include "compiler/why/subject.h"

namespace gpulint::why {

/// Suggestions other than changes of files, each tried by placing: labels to set on nodes, another
/// MIG strategy or layout, another request of the task. Ranked, one of each kind.
[[nodiscard]] std::vector<Way> find_ways(const Subject& subject, const std::vector<Group>& groups);

/// Why no line of configuration helps: what an accelerator can never request of these nodes, a
/// device that they do not have, a label that somebody must set.
[[nodiscard]] std::string find_obstacle(const Subject& subject, const std::vector<Group>& groups);

}  // namespace gpulint::why
