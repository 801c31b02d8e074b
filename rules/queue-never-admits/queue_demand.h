#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/field.h"
#include "compiler/model/corpus.h"
#include "compiler/model/kueue.h"

namespace gpulint::rules::queue_never_admits {

/// The names of all resources that the queue covers.
[[nodiscard]] std::vector<std::string> covered_by(const ClusterQueue& queue);

/// Whether the resource certainly has no quota: Kueue's configuration may make other extended
/// resources of those that pods request (`resources.transformations`), and leave some out.
[[nodiscard]] bool is_surely_uncovered(const ClusterQueue& queue, std::string_view resource);

/// How many pods of the template Kueue lets in together: all of a job or cluster, one of what it
/// queues pod by pod (Deployment, Pod). Nothing where that is open, or where fewer will do.
[[nodiscard]] std::optional<std::int64_t> pods_of_workload(const Workload& workload);

/// The most that a flavor of the group can give of the resource: its quota, and what it may borrow.
struct LargestQuota {
  std::int64_t amount = 0;  ///< As PodRequest has it.
  Node node;
  bool is_of_cohort = false;  ///< Nothing but what the known queues of its cohort have bounds it.
};
/// Nothing where one of them is open, or may borrow without a limit: in a cohort whose Cohort is
/// among the inputs, without a parent and without quotas of its own, all known queues of it have
/// what may be borrowed.
[[nodiscard]] std::optional<LargestQuota> largest_quota(const Corpus& corpus,
                                                        const KueueObjects& kueue,
                                                        const ClusterQueue& queue,
                                                        const ResourceGroup& group,
                                                        std::string_view resource);

/// The values of the label in the group's flavors; empty where one of them does not have it, or is
/// not known.
[[nodiscard]] std::vector<Value<std::string>> values_in_flavors(const KueueObjects& kueue,
                                                                const ResourceGroup& group,
                                                                std::string_view key);

}  // namespace gpulint::rules::queue_never_admits
