#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "compiler/why/story.h"
#include "compiler/why/subject.h"

namespace gpulint::why {

/// The nodes that the workload does not certainly fit, grouped by equal obstacles. The group with
/// the fewest obstacles that a person can change is first; nodes without accelerators are last.
[[nodiscard]] std::vector<Group> group_nodes(const Subject& subject);

/// A person is shown at most this many groups of nodes with accelerators.
inline constexpr std::size_t most_shown_groups = 6;

/// Keeps only the groups that a person is shown. Groups without accelerators become one without
/// terms; `further` counts the nodes of the groups that are left out.
void keep_shown(Story& story);

/// The nearest groups with accelerators that certainly do not fit.
[[nodiscard]] std::vector<const Group*> worth_trying(const std::vector<Group>& groups,
                                                     std::size_t most = 12);

/// The label with the machine types that a pool may use; null if there is none.
[[nodiscard]] const PoolLabel* machine_label(const NodePool& pool);

/// Whether nodes offer the resource of a term, but less than the pod requests.
[[nodiscard]] bool lacks_amount(const FailedTerm& failed);

/// Whether nodes may have the device that a task requests.
[[nodiscard]] bool may_have_device(const Group& group, const std::string& device);

}  // namespace gpulint::why
