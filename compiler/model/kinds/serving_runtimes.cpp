#include "compiler/model/kinds/serving_runtimes.h"

#include <algorithm>
#include <string_view>

#include "compiler/ir/read.h"

namespace gpulint {
namespace {

/// The container of a runtime that serves the model (kserve pkg/constants).
constexpr std::string_view model_container = "kserve-container";

[[nodiscard]] bool is_runtime(const Workload& workload) {
  return workload.kind.equals("ServingRuntime") || workload.kind.equals("ClusterServingRuntime");
}

/// Those of the service's own namespace come first; of several none is taken.
[[nodiscard]] const Workload* find_runtime(const std::vector<Workload>& workloads,
                                           std::string_view name, std::string_view name_space) {
  for (const std::string_view kind : {"ServingRuntime", "ClusterServingRuntime"}) {
    const Workload* found = nullptr;
    std::size_t count = 0;
    for (const Workload& workload : workloads) {
      const bool is_here = kind == "ClusterServingRuntime" || workload.name_space == name_space;
      if (!workload.kind.equals(std::string(kind)) || workload.name != name || !is_here) continue;
      if (workload.role.starts_with("workerSpec")) continue;
      found = &workload;
      ++count;
    }
    if (count > 0) return count == 1 ? found : nullptr;
  }
  return nullptr;
}

template <class Entry>
void add_missing(std::vector<Entry>& entries, const std::vector<Entry>& more, auto name_of) {
  for (const Entry& entry : more) {
    const auto is_same = [&](const Entry& own) { return name_of(own) == name_of(entry); };
    if (std::ranges::none_of(entries, is_same)) entries.push_back(entry);
  }
}

void merge_resources(ResourceRequirements& own, const ResourceRequirements& runtime) {
  const auto name_of = [](const ResourceEntry& entry) { return entry.name.value; };
  add_missing(own.limits, runtime.limits, name_of);
  add_missing(own.requests, runtime.requests, name_of);
  own.opaque = own.opaque || runtime.opaque;
}

void merge_pod(PodSpec& pod, const PodSpec& runtime) {
  if (!pod.tolerations_node) {
    pod.tolerations = runtime.tolerations;
    pod.tolerations_opaque = runtime.tolerations_node && runtime.tolerations_opaque;
  }
  add_missing(pod.node_selector, runtime.node_selector,
              [](const LabelEntry& entry) { return entry.key.value; });
  pod.node_selector_opaque = runtime.node_selector_node && runtime.node_selector_opaque;
  if (!pod.node_affinity.node) {
    pod.node_affinity = runtime.node_affinity;
    pod.affinity_opaque = runtime.node_affinity.node && runtime.affinity_opaque;
  }
  for (const Container& container : runtime.containers) {
    const bool is_model = container.name.equals(std::string(model_container));
    if (!is_model || pod.containers.empty()) {
      pod.containers.push_back(container);
    } else {
      merge_resources(pod.containers.front().resources, container.resources);
    }
  }
}

void leave_open(PodSpec& pod) {
  pod.tolerations_opaque = pod.tolerations_opaque || !pod.tolerations_node;
  pod.affinity_opaque = pod.affinity_opaque || !pod.node_affinity.node;
}

}  // namespace

void merge_serving_runtimes(std::vector<Workload>& workloads) {
  if (std::ranges::none_of(workloads, is_runtime)) return;
  for (Workload& workload : workloads) {
    if (!workload.kind.equals("InferenceService") || workload.role != "predictor") continue;
    const Node model = workload.object.at("spec", "predictor", "model");
    const Field<std::string> name = read_string(model, "runtime");
    if (!name.is_known()) continue;
    const Workload* const runtime = find_runtime(workloads, name.value(), workload.name_space);
    if (runtime != nullptr) merge_pod(workload.pod, runtime->pod);
  }
  for (Workload& workload : workloads) {
    if (is_runtime(workload)) leave_open(workload.pod);
  }
}

}  // namespace gpulint
