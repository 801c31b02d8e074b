#include "compiler/model/kinds/training_runtimes.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "compiler/ir/read.h"
#include "compiler/model/open_pod.h"

namespace gpulint {
namespace {

constexpr std::string_view step_label = "trainer.kubeflow.org/trainjob-ancestor-step";

[[nodiscard]] bool is_training_runtime(const Workload& workload) {
  return workload.kind.equals("TrainingRuntime") || workload.kind.equals("ClusterTrainingRuntime");
}

[[nodiscard]] bool is_train_job(const Workload& workload) {
  return workload.kind.equals("TrainJob") && workload.role == "trainer";
}

/// Whether the pod is of the job that trains.
[[nodiscard]] bool is_trainer(const Workload& workload) {
  return std::ranges::any_of(workload.around, [](Node around) {
    return around.at("metadata", "labels").get(step_label).text() == "trainer";
  });
}

/// The trainer's pod of the runtime; null where it is not given, or not certain.
[[nodiscard]] const Workload* find_training_runtime(const std::vector<Workload>& workloads,
                                                    const Workload& job) {
  const Node reference = job.object.at("spec", "runtimeRef");
  const Field<std::string> name = read_string(reference, "name");
  const std::string kind = read_string(reference, "kind").value_or("ClusterTrainingRuntime");
  const Workload* found = nullptr;
  for (const Workload& workload : workloads) {
    const bool is_here = kind != "TrainingRuntime" || workload.name_space == job.name_space;
    const bool is_named =
        workload.kind.equals(kind) && name.equals(workload.name) && is_here && is_trainer(workload);
    if (!is_named) continue;
    if (found != nullptr) return nullptr;
    found = &workload;
  }
  return found;
}

void merge_runtime(PodSpec& pod, const PodSpec& runtime) {
  const bool has_own_resources = static_cast<bool>(pod.containers.front().resources.node);
  add_scheduling(pod, runtime);
  if (!pod.node) pod.node = runtime.node;
  pod.runtime_class_name = runtime.runtime_class_name;
  pod.scheduler_name = runtime.scheduler_name;
  for (const Container& container : runtime.containers) {
    if (!container.name.equals("node")) {
      pod.containers.push_back(container);
    } else if (!has_own_resources) {
      pod.containers.front().resources = container.resources;
    }
  }
}

}  // namespace

void merge_training_runtimes(std::vector<Workload>& workloads) {
  for (Workload& job : workloads) {
    if (!is_train_job(job)) continue;
    const Workload* const runtime = find_training_runtime(workloads, job);
    if (runtime == nullptr) {
      leave_unsaid_open(job.pod);
    } else {
      merge_runtime(job.pod, runtime->pod);
    }
  }
  for (Workload& workload : workloads) {
    if (is_training_runtime(workload)) leave_unsaid_open(workload.pod);
  }
}

}  // namespace gpulint
