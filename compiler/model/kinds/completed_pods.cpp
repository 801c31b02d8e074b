#include "compiler/model/kinds/completed_pods.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "compiler/ir/node.h"
#include "compiler/ir/read.h"
#include "compiler/model/facts/kubernetes_kinds.h"
#include "compiler/model/objects.h"
#include "compiler/model/read_pod.h"
#include "compiler/model/unknown_pod.h"

namespace gpulint {
namespace {

/// The workloads with a kind and name that an object of `name_space` may mean.
[[nodiscard]] std::vector<const Workload*> find_named(const std::vector<Workload>& workloads,
                                                      const std::string& kind,
                                                      std::string_view name,
                                                      std::string_view name_space) {
  const bool is_cluster_wide = facts_of_kind(kind).is_cluster_wide;
  std::vector<const Workload*> found;
  for (const Workload& workload : workloads) {
    const bool is_here = is_cluster_wide || workload.name_space == name_space;
    if (workload.name == name && is_here && workload.kind.equals(kind)) found.push_back(&workload);
  }
  return found;
}

/// The container of a runtime that serves the model (kserve pkg/constants).
constexpr std::string_view model_container = "kserve-container";

[[nodiscard]] bool is_serving_runtime(const Workload& workload) {
  return workload.kind.equals("ServingRuntime") || workload.kind.equals("ClusterServingRuntime");
}

/// Those of the service's own namespace come first; of several none is taken.
[[nodiscard]] const Workload* find_serving_runtime(const std::vector<Workload>& workloads,
                                                   std::string_view name,
                                                   std::string_view name_space) {
  for (const char* const kind : {"ServingRuntime", "ClusterServingRuntime"}) {
    std::vector<const Workload*> found = find_named(workloads, kind, name, name_space);
    std::erase_if(found, [](const Workload* each) { return each->role.starts_with("workerSpec"); });
    if (!found.empty()) return found.size() == 1 ? found.front() : nullptr;
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

void merge_serving_runtime(PodSpec& pod, const PodSpec& runtime) {
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

void leave_scheduling_open(PodSpec& pod) {
  pod.tolerations_opaque = pod.tolerations_opaque || !pod.tolerations_node;
  pod.affinity_opaque = pod.affinity_opaque || !pod.node_affinity.node;
}

void merge_serving_runtimes(std::vector<Workload>& workloads) {
  if (std::ranges::none_of(workloads, is_serving_runtime)) return;
  std::set<const Workload*> used;
  for (Workload& workload : workloads) {
    if (!workload.kind.equals("InferenceService") || workload.role != "predictor") continue;
    const Node model = workload.object.at("spec", "predictor", "model");
    const Field<std::string> name = read_string(model, "runtime");
    if (!name.is_known()) continue;
    const Workload* const runtime =
        find_serving_runtime(workloads, name.value(), workload.name_space);
    if (runtime == nullptr) continue;
    merge_serving_runtime(workload.pod, runtime->pod);
    used.insert(runtime);
  }
  for (Workload& workload : workloads) {
    if (!is_serving_runtime(workload)) continue;
    leave_scheduling_open(workload.pod);
    workload.completes_others = used.contains(&workload);
  }
}

constexpr std::string_view step_label = "trainer.kubeflow.org/trainjob-ancestor-step";

[[nodiscard]] bool is_training_runtime(const Workload& workload) {
  return workload.kind.equals("TrainingRuntime") || workload.kind.equals("ClusterTrainingRuntime");
}

[[nodiscard]] bool is_train_job(const Workload& workload) {
  return workload.kind.equals("TrainJob") && workload.role == "trainer";
}

/// Whether the pod belongs to the job that trains.
[[nodiscard]] bool is_trainer(const Workload& workload) {
  return std::ranges::any_of(workload.around, [](Node around) {
    return around.at("metadata", "labels").get(step_label).text() == "trainer";
  });
}

/// The trainer's pod of the runtime; null if it is missing or not certain.
[[nodiscard]] const Workload* find_training_runtime(const std::vector<Workload>& workloads,
                                                    const Workload& job) {
  const Node reference = job.object.at("spec", "runtimeRef");
  const Field<std::string> name = read_string(reference, "name");
  const std::string kind = read_string(reference, "kind").value_or("ClusterTrainingRuntime");
  std::vector<const Workload*> found =
      find_named(workloads, kind, name.value_or(""), job.name_space);
  std::erase_if(found, [](const Workload* each) { return !is_trainer(*each); });
  return found.size() == 1 ? found.front() : nullptr;
}

/// The job's amounts replace those of the runtime one by one (Trainer 2.3, kubeflow/trainer pull
/// request 3602; earlier releases replaced all of them).
void merge_runtime(PodSpec& pod, const PodSpec& runtime) {
  add_scheduling(pod, runtime);
  if (!pod.node) pod.node = runtime.node;
  pod.runtime_class_name = runtime.runtime_class_name;
  pod.scheduler_name = runtime.scheduler_name;
  for (const Container& container : runtime.containers) {
    if (!container.name.equals("node")) {
      pod.containers.push_back(container);
    } else if (ResourceRequirements& own = pod.containers.front().resources; own.node) {
      merge_resources(own, container.resources);
    } else {
      own = container.resources;
    }
  }
}

void merge_training_runtimes(std::vector<Workload>& workloads) {
  for (Workload& job : workloads) {
    if (!is_train_job(job)) continue;
    const Workload* const runtime = find_training_runtime(workloads, job);
    if (runtime == nullptr) {
      mark_missing_unknown(job.pod);
      for (Container& container : job.pod.containers) {
        ResourceRequirements& own = container.resources;
        own.opaque = own.opaque || (own.requests_node && !own.limits_node);
      }
    } else {
      merge_runtime(job.pod, runtime->pod);
    }
  }
  for (Workload& workload : workloads) {
    if (is_training_runtime(workload)) mark_missing_unknown(workload.pod);
  }
}

[[nodiscard]] bool is_of_argo_workflows(const Workload& workload) {
  return workload.api_version.value_or("").starts_with("argoproj.io/") &&
         workload.kind.value_or("").find("Workflow") != std::string::npos;
}

/// `spec` of the defaults in a document; null if it has none.
[[nodiscard]] Node find_workflow_defaults(const Document& document) {
  constexpr std::string_view name = "workflowDefaults";
  if (!document.errors.empty()) return {};
  if (document.host != nullptr && Node(*document.host, document.host_node).key().text() == name) {
    return root(document).get("spec");
  }
  const Node values = root(document);
  return values.get("apiVersion") ? Node{} : values.at("controller", name, "spec");
}

void fill_in(PodSpec& pod, const PodSpec& defaults) {
  const bool has_tolerations = pod.tolerations_node || pod.tolerations_opaque;
  const bool has_selector = pod.node_selector_node || pod.node_selector_opaque;
  PodSpec missing = defaults;
  if (has_tolerations) missing.tolerations.clear();
  if (has_selector) missing.node_selector.clear();
  add_scheduling(pod, missing);
}

}  // namespace

void merge_runtimes(std::vector<Workload>& workloads) {
  merge_serving_runtimes(workloads);
  merge_training_runtimes(workloads);
}

void add_workflow_defaults(const std::vector<const Document*>& documents,
                           std::vector<Workload>& workloads) {
  if (std::ranges::none_of(workloads, is_of_argo_workflows)) return;
  for (const Document* document : documents) {
    const Node spec = find_workflow_defaults(*document);
    if (!spec.is_mapping()) continue;
    const PodSpec defaults = read_pod_spec(spec);
    for (Workload& workload : workloads) {
      if (is_of_argo_workflows(workload)) fill_in(workload.pod, defaults);
    }
  }
}

}  // namespace gpulint
