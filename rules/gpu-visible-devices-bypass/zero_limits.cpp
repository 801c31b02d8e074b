#include "rules/gpu-visible-devices-bypass/zero_limits.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "compiler/base/text.h"
#include "compiler/model/facts/gpu_resource.h"
#include "compiler/schedule/placement_analysis.h"
#include "rules/support/queries.h"

namespace gpulint::rules::gpu_visible_devices_bypass {
namespace {

/// Images of CUDA and of NVIDIA's catalogue set `NVIDIA_VISIBLE_DEVICES=all` (nvidia/cuda,
/// Dockerfiles of 12.4).
[[nodiscard]] bool makes_all_visible(const Container& container) {
  if (!container.image.is_known()) return false;
  const std::string image = to_lower(container.image.value());
  return image.find("cuda") != std::string::npos || image.starts_with("nvcr.io/nvidia/");
}

/// The limit of 0; null where there is none, or where the container sets its devices otherwise.
[[nodiscard]] const ResourceEntry* find_zero_limit(const Container& container) {
  const ResourceRequirements& resources = container.resources;
  if (resources.opaque || !resources.claims.empty() || container.node.get("envFrom")) {
    return nullptr;
  }
  const bool sets_devices = std::ranges::any_of(container.env, [](const EnvVar& variable) {
    return !variable.name.is_known() || variable.name.value() == "NVIDIA_VISIBLE_DEVICES";
  });
  const ResourceEntry* zero = nullptr;
  for (const ResourceEntry& limit : resources.limits) {
    if (!is_nvidia_device(limit.name.value)) continue;
    if (!limit.amount.is_known() || !limit.amount.value().is_zero()) return nullptr;
    zero = &limit;
  }
  return sets_devices ? nullptr : zero;
}

/// Whether NVIDIA's runtime may start the pod: it is the default on many nodes.
[[nodiscard]] bool may_run_under_nvidia(const Corpus& corpus, const PodSpec& pod) {
  if (corpus.cluster.provider == Provider::gke) return false;  // its nodes have another default
  const auto& name = pod.runtime_class_name;
  return name.is_absent() || (name.is_known() && name.value().starts_with("nvidia"));
}

/// Whether a known node with accelerators may take the pod; true where no nodes are known.
[[nodiscard]] bool may_reach_gpus(const Corpus& corpus, const Workload& workload) {
  if (corpus.placement == nullptr || !corpus.placement->nodes) return true;
  const KnownNodes& nodes = *corpus.placement->nodes;
  const auto& workloads = nodes.placement().workloads();
  const auto found = std::ranges::find(workloads, &workload);
  if (nodes.size() == 0 || found == workloads.end()) return true;
  const auto index = static_cast<std::size_t>(found - workloads.begin());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes.has_accelerators(i) == Ternary::no) continue;
    if (nodes.fits(nodes.placement().pod(index), i) != Ternary::no) return true;
  }
  return false;
}

}  // namespace

void check_zero_limits(const Corpus& corpus, Reporter& reporter) {
  for (const Workload& workload : corpus.workloads) {
    if (is_node_agent(workload) || !may_run_under_nvidia(corpus, workload.pod)) continue;
    for (const Container& container : workload.pod.containers) {
      const ResourceEntry* const zero = find_zero_limit(container);
      if (zero == nullptr || !makes_all_visible(container)) continue;
      if (!may_reach_gpus(corpus, workload)) continue;
      reporter
          .report(zero->name.node, "`{}: 0` hides no GPU: the image of {} makes all visible",
                  zero->name.value, describe(container))
          .related(container.image.node(), "the image sets `NVIDIA_VISIBLE_DEVICES` to `all`")
          .help(
              "set `NVIDIA_VISIBLE_DEVICES` to `void`: where NVIDIA's runtime is the default, the "
              "container sees every GPU of its node");
    }
  }
}

}  // namespace gpulint::rules::gpu_visible_devices_bypass
