#include "compiler/engine/rule.h"

#include <algorithm>

#include "compiler/schedule/gpu_relation.h"
#include "rules/support/placement_causes.h"

namespace gpulint::rules::toleration_without_attraction {
namespace {

/// Whether the pod may prefer some nodes, or something about that is unknown.
[[nodiscard]] bool may_be_attracted(const PodSpec& pod) {
  const bool is_open = pod.node_selector_opaque || pod.affinity_opaque ||
                       pod.pod_resources.opaque ||
                       std::ranges::any_of(pod.containers, [](const Container& container) {
                         return container.resources.opaque || !container.resources.claims.empty();
                       });
  const bool is_placed = !pod.node_selector.empty() || pod.node.get("affinity") ||
                         !pod.node_name.is_absent() || !pod.runtime_class_name.is_absent() ||
                         !pod.resource_claims.empty() || pod.node.get("topologySpreadConstraints");
  return is_open || is_placed || pod.containers.empty() || gpu_relation(pod) != GpuRelation::none;
}

/// Whether the pod requests more than CPU and memory: a device also selects nodes.
[[nodiscard]] bool requests_devices(const PodSpec& pod) {
  const auto is_device = [](const ResourceEntry& entry) {
    return entry.name.value.find('/') != std::string::npos;
  };
  return std::ranges::any_of(pod.containers, [&](const Container& container) {
    return std::ranges::any_of(container.resources.limits, is_device) ||
           std::ranges::any_of(container.resources.requests, is_device);
  });
}

[[nodiscard]] const Toleration* find_gpu_toleration(const PodSpec& pod) {
  const auto found = std::ranges::find_if(pod.tolerations, [](const Toleration& toleration) {
    const std::string key = toleration.key.value_or("");
    return !key.empty() && is_gpu_taint(key, toleration.value.value_or(""));
  });
  return found == pod.tolerations.end() ? nullptr : &*found;
}

void check(const Corpus& corpus, Reporter& reporter) {
  for (const Workload& workload : corpus.workloads) {
    if (workload.origin != Workload::Origin::manifest || workload.kind.equals("DaemonSet"))
      continue;
    if (!is_placement_known(workload)) continue;
    const Toleration* const toleration = find_gpu_toleration(workload.pod);
    if (toleration == nullptr || !toleration->key.node()) continue;
    if (may_be_attracted(workload.pod) || requests_devices(workload.pod)) continue;
    reporter
        .report(toleration->key.node(),
                "{} tolerates the GPU taint `{}`, but requests no GPU and selects no GPU nodes",
                describe(workload), toleration->key.value_or(""))
        .help(
            "request a GPU, or select GPU nodes. Otherwise the pod may run on other nodes, because "
            "a "
            "toleration only allows the GPU nodes");
  }
}

}  // namespace

extern constinit const Rule rule{.info = {.category = "placement", .severity = Severity::info},
                                 .check = check};

}  // namespace gpulint::rules::toleration_without_attraction
