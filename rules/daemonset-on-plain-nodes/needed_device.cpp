#include "rules/daemonset-on-plain-nodes/needed_device.h"

#include <algorithm>

#include "compiler/schedule/gpu_daemon.h"

namespace gpulint::rules::daemonset_on_plain_nodes {
namespace {

/// Whether the device plugin is told to wait where there is no GPU (k8s-device-plugin 1b826acc,
/// README: `failOnInitError`; the static manifests set it).
[[nodiscard]] bool waits_without_device(const Workload& workload) {
  for (const Container& container : workload.pod.containers) {
    for (const Node entry : container.node.get("env").items()) {
      if (entry.get("name").text() == "FAIL_ON_INIT_ERROR") return true;
    }
    for (const std::string_view list : {"command", "args"}) {
      for (const Node word : container.node.get(list).items()) {
        if (word.text().find("fail-on-init-error") != std::string_view::npos ||
            word.text().find("config-file") != std::string_view::npos || word.is_opaque()) {
          return true;
        }
      }
    }
  }
  return false;
}

}  // namespace

std::string_view device_that_it_needs(const Workload& workload) {
  const auto daemon = find_gpu_daemon(workload);
  if (!daemon || asks_remote_engine(workload)) return {};
  const bool is_operand = workload.origin == Workload::Origin::values;
  const bool is_plugin = daemon->role == GpuDaemonRole::device_plugin && !is_operand;
  if (daemon->vendor == "nvidia.com") {
    // The chart of the device plugin selects nodes by itself.
    const bool fails =
        daemon->role == GpuDaemonRole::monitoring || (is_plugin && !waits_without_device(workload));
    return fails ? daemon->vendor : std::string_view{};
  }
  return is_plugin && daemon->vendor == "aws.amazon.com" ? daemon->vendor : std::string_view{};
}

}  // namespace gpulint::rules::daemonset_on_plain_nodes
