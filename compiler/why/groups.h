#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "compiler/why/story.h"
#include "compiler/why/subject.h"

namespace gpulint::why {

/// The nodes that do not certainly take the workload, those that fail alike together; the group
/// that misses least of what a person can change first, nodes without accelerators last.
[[nodiscard]] std::vector<Group> group_nodes(const Subject& subject);

/// How many groups of nodes with accelerators a person is shown.
inline constexpr std::size_t most_shown_groups = 6;

/// Leaves of a story's groups what a person is shown: those without accelerators become one without
/// terms, and `further` counts the nodes of what is left out.
void keep_shown(Story& story);

/// Those that somebody could get the workload onto, the nearest ones; open ones are not.
[[nodiscard]] std::vector<const Group*> worth_trying(const std::vector<Group>& groups,
                                                     std::size_t most = 12);

/// Which machines a pool may use, as its labels say; null where these do not.
[[nodiscard]] const PoolLabel* machine_label(const NodePool& pool);

/// Whether nodes offer the resource of a term, but less than the pod requests.
[[nodiscard]] bool lacks_amount(const FailedTerm& failed);

/// Whether nodes have the device that a task asks for, as far as they tell.
[[nodiscard]] bool may_have_device(const Group& group, const std::string& device);

}  // namespace gpulint::why
