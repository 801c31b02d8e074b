#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/why/story.h"
#include "compiler/why/subject.h"

namespace gpulint::why {

/// Suggestions other than changes of files, each tried by placing: labels to set on nodes, another
/// MIG strategy or layout, another request of the task. Ranked, one of each kind.
[[nodiscard]] std::vector<Way> find_ways(const Subject& subject, const std::vector<Group>& groups);

/// If the pod fits without the amounts that a LimitRange gives to its containers.
[[nodiscard]] std::optional<Way> way_without_defaults(const Subject& subject);

/// Why no change of files helps: a resource that no accelerator can request, a device that no node
/// has, or a label that is missing on the nodes. Lower case, no final period; may be empty.
[[nodiscard]] std::string find_obstacle(const Subject& subject, const std::vector<Group>& groups);

}  // namespace gpulint::why
