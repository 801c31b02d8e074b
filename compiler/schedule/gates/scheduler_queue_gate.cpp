#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/read.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/model/pod_count.h"
#include "compiler/model/read_pod.h"
#include "compiler/schedule/describe.h"
#include "compiler/schedule/gates/gates.h"
#include "compiler/schedule/gpu_relation.h"
#include "compiler/schedule/pod_requests.h"
#include "compiler/schedule/scheduler_queues.h"
#include "compiler/schedule/terms.h"

namespace gpulint {
namespace {

constexpr std::int64_t most_pods = 1'000;

/// The GPUs of one pod as KAI-Scheduler counts them: whole ones, or a part of one.
struct KaiDemand {
  Quantity amount;
  std::string text;  ///< As written.
  Node node;
};
[[nodiscard]] KaiDemand kai_demand(const Workload& workload) {
  KaiDemand demand;
  for (const PodRequest& request : compute_requests(workload.pod).resources) {
    const bool is_whole = request.name.ends_with("/gpu") && is_gpu_resource(request.name);
    if (is_whole && request.node) {
      demand = {Quantity::of(request.amount), std::to_string(request.amount), request.node};
    }
  }
  for (const LabelEntry& entry : workload.annotations) {
    if (entry.key.value != "gpu-fraction" || !entry.value.is_known()) continue;
    const auto part = Quantity::parse(entry.value.value());
    if (part && demand.amount < *part) {
      demand = {*part, entry.value.value(), entry.value.node()};
    }
  }
  return demand;
}

/// The queue or parent queue with too small a limit; null if there is none.
struct KaiLimit {
  const SchedulerQueue* queue = nullptr;
  Node limit;
};
[[nodiscard]] KaiLimit find_lesser(const SchedulerQueues& queues, const std::string& name,
                                   const Quantity& wanted) {
  for (const SchedulerQueue* const queue : queues.with_parents(name)) {
    const Field<Quantity> limit =
        read_quantity(queue->object.at("spec", "resources", "gpu", "limit"));
    // -1 means no limit. 0 is the default and also counts as no limit.
    const bool is_limit =
        limit.is_known() && !limit.value().is_negative() && !limit.value().is_zero();
    if (is_limit && limit.value() < wanted) return {queue, limit.node()};
  }
  return {};
}

/// The pods of one group that KAI-Scheduler places together (podgrouper/plugins/leaderworkerset:
/// all, unless workers wait for their leader); 0 if there is no such group.
[[nodiscard]] std::int64_t pods_placed_together(const Workload& workload) {
  const Field<std::string> policy = read_string(workload.object.get("spec"), "startupPolicy");
  const bool is_together = policy.is_absent() || policy.equals("LeaderCreated");
  if (!workload.kind.equals("LeaderWorkerSet") || !is_together) return 0;
  return pods_of_group(workload).value_or(0);
}

/// The pods of a LeaderWorkerSet's group, if each alone is within the limits.
void check_kai_gang(Obstacles& obstacles, const ScopeModel& model, const SchedulerQueues& queues,
                    const Workload& workers) {
  const Field<std::string> name = kai_queue(workers);
  if (!name.is_known() || workers.role == "leader" || pods_placed_together(workers) < 1) return;
  Quantity sum = Quantity::of(0);
  std::int64_t pods = 0;
  for (const Workload& workload : model.workloads) {
    if (workload.object != workers.object) continue;
    const KaiDemand demand = kai_demand(workload);
    if (!workload.pod.scheduler_name.equals("kai-scheduler")) return;
    if (find_lesser(queues, name.value(), demand.amount).queue != nullptr) return;
    for (std::int64_t i = 0; i < pods_placed_together(workload) && pods < most_pods; ++i) {
      sum = sum + demand.amount;
      ++pods;
    }
  }
  const KaiDemand own = kai_demand(workers);
  const KaiLimit found = find_lesser(queues, name.value(), sum);
  if (found.queue == nullptr || !own.node) return;
  // Without the role: the sum includes the leader.
  const std::string owner = workers.name.empty()
                                ? "a LeaderWorkerSet"
                                : fmt::format("LeaderWorkerSet `{}`", workers.name);
  obstacles
      .add(own.node, "each group of {} requests {} GPUs, but the limit of queue `{}` is {}", owner,
           sum.value(), found.queue->name.value, found.limit.text())
      .related(found.limit, "the limit of the queue")
      .help(
          "request less, or raise `limit` to at least {}. Otherwise KAI-Scheduler schedules none "
          "of the {} pods of a group",
          sum.value(), pods);
}

/// A shard of KAI-Scheduler sees only the pods, queues and nodes with its value of this label
/// (kai-scheduler/KAI-Scheduler 431c3a037b6e, pkg/common/constants and
/// docs/operator/scheduling-shards).
constexpr std::string_view shard_label = "kai.scheduler/node-pool";

/// A queue of another shard than the pod's. `shards`: values of the SchedulingShards.
void check_kai_shard(Obstacles& obstacles, const std::vector<Field<std::string>>& shards,
                     const SchedulerQueues& queues, const Workload& workload) {
  const Field<std::string> name = kai_queue(workload);
  const SchedulerQueue* const queue = name.is_known() ? queues.find(name.value()) : nullptr;
  if (queue == nullptr || !workload.pod.scheduler_name.equals("kai-scheduler")) return;
  const Field<std::string> of_queue =
      read_string(queue->object.at("metadata", "labels"), shard_label);
  const Field<std::string> of_pod = kai_label(workload, shard_label);
  const bool is_known =
      (of_queue.is_known() || of_queue.is_absent()) && (of_pod.is_known() || of_pod.is_absent());
  if (!is_known || of_queue.value_or("") == of_pod.value_or("")) return;
  const auto shard = std::ranges::find_if(shards, [&](const Field<std::string>& each) {
    return each.is_known() &&
           (each.value() == of_queue.value_or("") || each.value() == of_pod.value_or(""));
  });
  if (shard == shards.end()) return;
  const bool is_queue_without = of_queue.is_absent();
  const std::string value = of_queue.value_or(of_pod.value_or(""));
  const std::string pod = describe(workload);
  const std::string of_name = fmt::format("queue `{}`", name.value());
  obstacles
      .add(of_pod.is_absent() ? name.node() : of_pod.node(),
           "{} does not have the label `{}={}` of {}", is_queue_without ? of_name : pod,
           shard_label, value, is_queue_without ? pod : of_name)
      .related(of_queue.is_known() ? of_queue.node() : queue->name.node,
               is_queue_without ? "this queue does not have the label" : "the label of the queue")
      .related(shard->node(), "this shard handles only this label value")
      .help(
          "set the label `{}: {}` on the {}. Otherwise KAI-Scheduler does not schedule the pod, "
          "because the pod and the queue are in different shards",
          shard_label, value, is_queue_without ? "queue" : "pod");
}

void check_kai_workload(Obstacles& obstacles, const SchedulerQueues& queues,
                        const Workload& workload) {
  const Field<std::string> name = kai_queue(workload);
  if (!name.is_known() || !workload.pod.scheduler_name.equals("kai-scheduler")) return;
  const auto child = std::ranges::find_if(queues.queues, [&](const SchedulerQueue& queue) {
    return queue.parent.equals(name.value()) && queue.name.value != name.value();
  });
  if (child != queues.queues.end()) {
    obstacles
        .add(name.node(), "{} names queue `{}`, but this queue has the child queue `{}`",
             describe(workload), name.value(), child->name.value)
        .related(child->parent.node(),
                 fmt::format("queue `{}` is a child of this queue", child->name.value))
        .help("use a queue without child queues. Otherwise KAI-Scheduler does not schedule the pod")
        .assume();  // older releases did so below the top
  }
  const KaiDemand demand = kai_demand(workload);
  const KaiLimit found = find_lesser(queues, name.value(), demand.amount);
  if (found.queue == nullptr) return;
  obstacles
      .add(demand.node, "{} requests {} GPU{}, but the limit of queue `{}` is {}",
           describe(workload), demand.text, demand.text == "1" ? "" : "s", found.queue->name.value,
           found.limit.text())
      .related(found.limit, "the limit of the queue")
      .help(
          "request less, or raise `limit` to at least {}. Otherwise KAI-Scheduler never schedules "
          "the pod",
          demand.text);
}

/// A task of a Job with its request and the pods that start together.
struct TaskDemand {
  const Workload* workload = nullptr;
  const PodRequest* request = nullptr;
  std::int64_t pods = 1;
};

/// The amount of a resource that the tasks of one Job start with. A pod of a task that waits for
/// others counts alone.
[[nodiscard]] std::int64_t sum_together(const std::vector<TaskDemand>& tasks) {
  std::int64_t sum = 0;
  std::int64_t largest = 0;
  for (const TaskDemand& task : tasks) {
    sum += task.pods * task.request->amount;
    largest = std::max(largest, task.request->amount);
  }
  return std::max(sum, largest);
}

/// Job `train`: the object with the task.
[[nodiscard]] std::string describe_owner(const TaskDemand& task) {
  Workload owner = *task.workload;
  owner.role.clear();
  return describe(owner);
}

void check_capability(Obstacles& obstacles, const std::vector<const Workload*>& job,
                      const SchedulerQueue& queue, const Node::Entry& item) {
  const Field<Quantity> capability = read_quantity(item.value);
  if (!capability.is_known()) return;
  const std::string_view resource = item.key.text();
  const std::int64_t most = count_of(resource, capability.value());
  std::vector<PodRequests> requests;
  requests.reserve(job.size());
  std::vector<TaskDemand> tasks;
  for (const Workload* const workload : job) {
    requests.push_back(compute_requests(workload->pod));
    const PodRequest* const request = requests.back().find(resource);
    if (request == nullptr || !request->node || request->amount == 0) continue;
    const std::int64_t together =
        is_volcano_task(*workload) ? pods_of_volcano_gang(*workload).value_or(0) : 1;
    tasks.push_back({workload, request, together});
  }
  const std::int64_t wanted = sum_together(tasks);
  if (tasks.empty() || wanted <= most) return;
  const TaskDemand& first = *std::ranges::max_element(
      tasks, {}, [](const TaskDemand& task) { return task.request->amount; });
  const bool is_sum = wanted != first.request->amount;
  const std::string demand = is_sum ? fmt::format("{} needs", describe_owner(first))
                                    : fmt::format("{} requests", describe(*first.workload));
  obstacles
      .add(first.request->node, "{} {} `{}`{}, but the capability of queue `{}` is {}", demand,
           amount_text(resource, wanted), resource, is_sum ? " to start" : "", queue.name.value,
           amount_text(resource, most))
      .related(item.value, "the capability of the queue")
      .help(
          "request less, or raise `{}` in `capability` to at least {}. Otherwise Volcano never "
          "starts the pods",
          resource, amount_text(resource, wanted));
}

/// Whether the pod requests devices of any name: some plugins name them by product.
[[nodiscard]] bool requests_devices(const PodSpec& pod) {
  if (requests_gpu(pod)) return true;
  return std::ranges::any_of(pod.containers, [](const Container& container) {
    return std::ranges::any_of(container.resources.limits, [](const ResourceEntry& limit) {
      return limit.name.value.find('/') != std::string::npos;
    });
  });
}

/// All workloads of the object, in order.
[[nodiscard]] std::vector<const Workload*> job_of(const ScopeModel& model,
                                                  const Workload& workload) {
  std::vector<const Workload*> job;
  for (const Workload& each : model.workloads) {
    if (each.object == workload.object) job.push_back(&each);
  }
  return job;
}

void check_volcano_job(Obstacles& obstacles, const ScopeModel& model, const SchedulerQueues& queues,
                       const Workload& workload) {
  const Field<std::string> name = volcano_queue(workload);
  if (!name.is_known()) return;
  const std::vector<const Workload*> job = job_of(model, workload);
  if (std::ranges::none_of(job, [](const Workload* each) { return requests_devices(each->pod); })) {
    return;
  }
  for (const SchedulerQueue* const queue : queues.with_parents(name.value())) {
    for (const Node::Entry& item : queue->object.at("spec", "capability").fields()) {
      check_capability(obstacles, job, *queue, item);
    }
  }
}

}  // namespace

FindObstacles make_scheduler_queue_gate(const ScopeModel& model) {
  SchedulerQueues of_kai = read_scheduler_queues(model, kai_group);
  SchedulerQueues of_volcano = read_scheduler_queues(model, volcano_group);
  std::vector<Field<std::string>> shards;
  for (const KubernetesObject& object : model.objects) {
    if (object.kind.equals("SchedulingShard")) {
      shards.push_back(read_string(object.node.get("spec"), "partitionLabelValue"));
    }
  }
  if (of_kai.queues.empty() && of_volcano.queues.empty()) return no_obstacles;
  return [&model, shards = std::move(shards), of_kai = std::move(of_kai),
          of_volcano = std::move(of_volcano)](const Workload& workload) {
    Obstacles found(Gate::queue);
    if (!of_kai.queues.empty()) {
      check_kai_workload(found, of_kai, workload);
      check_kai_shard(found, shards, of_kai, workload);
      check_kai_gang(found, model, of_kai, workload);
    }
    if (!of_volcano.queues.empty()) check_volcano_job(found, model, of_volcano, workload);
    return std::move(found).take();
  };
}

}  // namespace gpulint
