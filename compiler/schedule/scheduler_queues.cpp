#include "compiler/schedule/scheduler_queues.h"

#include <algorithm>

#include "compiler/ir/read.h"

namespace gpulint {
namespace {

constexpr std::int64_t most_replicas = 100'000;

/// The pods of a task that must start together: `minAvailable`, by default all.
[[nodiscard]] std::optional<std::int64_t> fewest_of_task(Node task) {
  const Field<std::int64_t> replicas = read_int(task, "replicas");
  const Field<std::int64_t> fewest = read_int(task, "minAvailable");
  if (!replicas.is_known() || replicas.value() > most_replicas) return std::nullopt;
  if (fewest.is_absent()) return replicas.value();
  return fewest.is_known() ? std::optional(std::min(fewest.value(), replicas.value()))
                           : std::nullopt;
}

/// The sum for all tasks; nullopt if one is unknown or waits for another.
[[nodiscard]] std::optional<std::int64_t> fewest_of_all(Node tasks) {
  std::int64_t sum = 0;
  for (const Node task : tasks.items()) {
    const auto fewest = fewest_of_task(task);
    if (!fewest || task.get("dependsOn")) return std::nullopt;
    sum += *fewest;
  }
  return sum;
}

/// The task that has this pod template.
[[nodiscard]] Node task_of(const Workload& workload) {
  for (const Node around : workload.around) {
    if (around.get("template")) return around;
  }
  return {};
}

/// A label or annotation of the object, else of its pods.
[[nodiscard]] Field<std::string> read_metadata(const Workload& workload, std::string_view map,
                                               std::string_view key) {
  Field<std::string> own = read_string(workload.object.at("metadata", map), key);
  if (!own.is_absent()) return own;
  return read_string(workload.template_node.at("metadata", map), key);
}

}  // namespace

const SchedulerQueue* SchedulerQueues::find(std::string_view name) const {
  const SchedulerQueue* found = nullptr;
  for (const SchedulerQueue& queue : queues) {
    if (queue.name.value != name) continue;
    if (found != nullptr) return nullptr;
    found = &queue;
  }
  return found;
}

std::vector<const SchedulerQueue*> SchedulerQueues::with_parents(std::string_view name) const {
  std::vector<const SchedulerQueue*> found;
  const SchedulerQueue* queue = find(name);
  while (queue != nullptr && std::ranges::find(found, queue) == found.end()) {
    found.push_back(queue);
    queue = queue->parent.is_known() ? find(queue->parent.value()) : nullptr;
  }
  return found;
}

SchedulerQueues read_scheduler_queues(const ScopeModel& model, std::string_view group) {
  SchedulerQueues found;
  const std::string_view parent_key = group == kai_group ? "parentQueue" : "parent";
  for (const KubernetesObject& object : model.objects) {
    const std::string version = object.api_version.value_or("");
    if (!object.kind.equals("Queue") || !version.starts_with(std::string(group) + "/")) continue;
    const Field<std::string> name = read_string(object.node.get("metadata"), "name");
    found.has_open_names = found.has_open_names || !name.is_known();
    if (!name.is_known()) continue;
    found.queues.push_back({object.node,
                            {name.value(), name.node()},
                            read_string(object.node.get("spec"), parent_key)});
  }
  std::ranges::stable_sort(found.queues, {},
                           [](const SchedulerQueue& queue) { return queue.name.value; });
  return found;
}

Field<std::string> kai_label(const Workload& workload, std::string_view key) {
  return read_metadata(workload, "labels", key);
}

bool is_volcano_task(const Workload& workload) {
  return workload.kind.equals("Job") &&
         workload.api_version.value_or("").starts_with("batch.volcano.sh/");
}

Field<std::string> volcano_queue(const Workload& workload) {
  if (is_volcano_task(workload)) return read_string(workload.object.get("spec"), "queue");
  return read_metadata(workload, "annotations", "scheduling.volcano.sh/queue-name");
}

std::optional<std::int64_t> pods_of_volcano_gang(const Workload& task) {
  const Node spec = task.object.get("spec");
  const Field<std::string> scheduler = read_string(spec, "schedulerName");
  if (!scheduler.is_absent() && !scheduler.equals("volcano")) return std::nullopt;
  const Field<std::int64_t> fewest = read_int(spec, "minAvailable");
  const Node own = task_of(task);
  const auto of_task = fewest_of_task(own);
  const auto of_all = fewest_of_all(spec.get("tasks"));
  if (!of_task || !of_all) return std::nullopt;
  if (fewest.is_absent() || fewest.equals(0)) return of_task;
  if (!fewest.is_known()) return std::nullopt;
  if (spec.get("tasks").size() == 1) {
    return std::min(fewest.value(), read_int(own, "replicas").value());
  }
  return fewest.value() >= *of_all ? of_task : std::nullopt;
}

}  // namespace gpulint
