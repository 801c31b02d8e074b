#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/field.h"
#include "compiler/model/scope/scope_model.h"

namespace gpulint {

// Queues of batch schedulers, as they were written. KAI-Scheduler: kai-scheduler/KAI-Scheduler
// 431c3a037b6e, pkg/apis/scheduling/v2/queue_types.go; Volcano: volcano-sh/apis
// scheduling/v1beta1.

/// The groups that their queues are of.
inline constexpr std::string_view kai_group = "scheduling.run.ai";
inline constexpr std::string_view volcano_group = "scheduling.volcano.sh";

inline constexpr std::string_view kai_queue_label = "kai.scheduler/queue";

struct SchedulerQueue {
  Node object;
  Value<std::string> name;
  Field<std::string> parent;
};

struct SchedulerQueues {
  std::vector<SchedulerQueue> queues;  ///< By name, however the files are ordered.
  bool has_open_names = false;

  /// The only one of the name; null where there is none, or several.
  [[nodiscard]] const SchedulerQueue* find(std::string_view name) const;
  /// The queue of the name and those above it, as far as they are known.
  [[nodiscard]] std::vector<const SchedulerQueue*> with_parents(std::string_view name) const;
};
[[nodiscard]] SchedulerQueues read_scheduler_queues(const ScopeModel& model,
                                                    std::string_view group);

/// The label by which KAI-Scheduler finds the queue: of the object, else of the pods
/// (podgrouper/plugins/defaultgrouper/default_grouper.go, CalcPodGroupQueue). Absent of pods
/// without.
[[nodiscard]] Field<std::string> kai_queue(const Workload& workload);

/// Whether the workload is a task of a Job of Volcano's.
[[nodiscard]] bool is_volcano_task(const Workload& workload);

/// `spec.queue` of a Job of Volcano's; of other pods the annotation
/// `scheduling.volcano.sh/queue-name`.
[[nodiscard]] Field<std::string> volcano_queue(const Workload& workload);

/// How many pods of the task Volcano starts together, at the least: its `minAvailable` or
/// `replicas` where the Job's own `minAvailable` asks for all tasks
/// (webhooks/admission/jobs/mutate, patchDefaultMinAvailable). Nothing where that is open, or fewer
/// will do.
[[nodiscard]] std::optional<std::int64_t> pods_of_volcano_gang(const Workload& task);

}  // namespace gpulint
