#include "rules/daemonset-misses-gpu-nodes/daemons.h"

#include <cstddef>
#include <optional>

#include <fmt/format.h>

#include "compiler/schedule/gpu_daemon.h"
#include "rules/support/causes.h"

namespace gpulint::rules::daemonset_misses_gpu_nodes {
namespace {

/// What GPU nodes lack without the DaemonSet.
[[nodiscard]] std::string_view loss(GpuDaemonRole role) {
  switch (role) {
    case GpuDaemonRole::device_plugin:
      return "their GPUs are never advertised";
    case GpuDaemonRole::dra_driver:
      return "their GPUs are in no ResourceSlice";
    case GpuDaemonRole::driver:
      return "their GPUs get no driver";
    case GpuDaemonRole::container_toolkit:
      return "their containers see no GPU";
    case GpuDaemonRole::mig_manager:
      return "their GPUs are never partitioned";
    case GpuDaemonRole::vgpu_manager:
      return "their vGPU devices are never made";
    case GpuDaemonRole::feature_discovery:
      return "they get no GPU labels";
    case GpuDaemonRole::node_feature_discovery:
      return "they get no labels by which operators find them";
    case GpuDaemonRole::monitoring:
      return "their GPUs are not monitored";
    case GpuDaemonRole::network:
      return "their network devices are given to no pod";
    case GpuDaemonRole::other:
      break;
  }
  return "they are not served";
}

}  // namespace

Severity severity_of(const Workload& workload) {
  const std::optional<GpuDaemon> daemon = find_gpu_daemon(workload);
  const bool is_of_chart = workload.origin == Workload::Origin::values;
  const bool is_open = daemon && (daemon->role == GpuDaemonRole::network ||
                                  daemon->role == GpuDaemonRole::node_feature_discovery);
  return is_open || is_of_chart ? Severity::warning : Severity::error;
}

std::string_view loss_without(const Workload& workload) {
  const std::optional<GpuDaemon> daemon = find_gpu_daemon(workload);
  return daemon ? loss(daemon->role) : "they are not served";
}

Named name_of(const Workload& workload) {
  const std::size_t colon = workload.role.find(": ");
  if (colon == std::string::npos) return {describe(workload), {}};
  return {fmt::format("DaemonSet `{}` ({})", workload.name, workload.role.substr(0, colon)),
          workload.role.substr(colon + 2)};
}

}  // namespace gpulint::rules::daemonset_misses_gpu_nodes
