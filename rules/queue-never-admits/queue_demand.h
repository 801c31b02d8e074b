#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
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

/// What the queues of each cohort may lend one another.
class Cohorts {
 public:
  Cohorts(const Corpus& corpus, const KueueObjects& kueue);

  /// What all known queues of the queue's cohort have of a flavor's resource together. Nothing
  /// where one is open, or the cohort is not one without a parent and quotas of its own.
  [[nodiscard]] std::optional<std::int64_t> sum(const ClusterQueue& queue,
                                                const std::string& flavor,
                                                const std::string& resource) const;

 private:
  struct Sum {
    std::int64_t amount = 0;
    bool is_open = false;
  };
  struct Cohort {
    int objects = 0;  ///< Of its name.
    bool is_plain = true;
    bool is_open = false;                                     ///< One of its queues is.
    std::map<std::pair<std::string, std::string>, Sum> sums;  ///< By flavor and resource.
  };

  void add(const ClusterQueue& queue);

  bool is_open_ = false;  // a Cohort's name is, or the cohort of a queue
  std::map<std::string, Cohort> cohorts_;
};

/// The most that a flavor of the group can give of the resource: its quota, and what it may borrow.
struct LargestQuota {
  std::int64_t amount = 0;  ///< As PodRequest has it.
  Node node;
  bool is_of_cohort = false;  ///< Nothing but what the known queues of its cohort have bounds it.
};
/// Nothing where one of them is open, or may borrow without a limit: in a cohort whose Cohort is
/// among the inputs, without a parent and without quotas of its own, all known queues of it have
/// what may be borrowed.
[[nodiscard]] std::optional<LargestQuota> largest_quota(const Cohorts& cohorts,
                                                        const ClusterQueue& queue,
                                                        const ResourceGroup& group,
                                                        std::string_view resource);

/// The values of the label in the group's flavors; empty where one of them does not have it, or is
/// not known.
[[nodiscard]] std::vector<Value<std::string>> values_in_flavors(const KueueObjects& kueue,
                                                                const ResourceGroup& group,
                                                                std::string_view key);

}  // namespace gpulint::rules::queue_never_admits
