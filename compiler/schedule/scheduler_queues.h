#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/field.h"
#include "compiler/model/scope/scope_model.h"

namespace gpulint {

// Queues of batch schedulers, as in the inputs. KAI-Scheduler: kai-scheduler/KAI-Scheduler
// 431c3a037b6e, pkg/apis/scheduling/v2/queue_types.go; Volcano: volcano-sh/apis scheduling/v1beta1.

/// The API groups of their queues.
inline constexpr std::string_view kai_group = "scheduling.run.ai";
inline constexpr std::string_view volcano_group = "scheduling.volcano.sh";

inline constexpr std::string_view kai_queue_label = "kai.scheduler/queue";

struct SchedulerQueue {
  Node object;
  Value<std::string> name;
  Field<std::string> parent;
};

struct SchedulerQueues {
  std::vector<SchedulerQueue> queues;  ///< Sorted by name, independent of the order of files.
  bool has_open_names = false;

  /// The only queue of this name; null if there is none, or if there are several.
  [[nodiscard]] const SchedulerQueue* find(std::string_view name) const;
  /// The queue of this name and its known parent queues.
  [[nodiscard]] std::vector<const SchedulerQueue*> with_parents(std::string_view name) const;
};
[[nodiscard]] SchedulerQueues read_scheduler_queues(const ScopeModel& model,
                                                    std::string_view group);

/// A label as KAI-Scheduler reads it: of the object, else of the pods (podgrouper/plugins/
/// defaultgrouper/default_grouper.go, CalcPodGroupQueue; podgrouper/pod_controller.go,
/// addNodePoolLabel). Absent if both lack it.
[[nodiscard]] Field<std::string> kai_label(const Workload& workload, std::string_view key);

/// The label by which KAI-Scheduler finds the queue.
[[nodiscard]] inline Field<std::string> kai_queue(const Workload& workload) {
  return kai_label(workload, kai_queue_label);
}

/// Whether the workload is a task of a Volcano Job.
[[nodiscard]] bool is_volcano_task(const Workload& workload);

/// `spec.queue` of a Volcano Job; for other pods the annotation `scheduling.volcano.sh/queue-name`.
[[nodiscard]] Field<std::string> volcano_queue(const Workload& workload);

/// The fewest pods of the task that Volcano starts together: its `minAvailable` or `replicas`, if
/// the Job's `minAvailable` requires all tasks (webhooks/admission/jobs/mutate,
/// patchDefaultMinAvailable). nullopt if that is unknown, or if fewer pods are enough.
[[nodiscard]] std::optional<std::int64_t> pods_of_volcano_gang(const Workload& task);

}  // namespace gpulint
