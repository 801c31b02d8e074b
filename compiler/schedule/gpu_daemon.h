#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "compiler/model/pools/cluster.h"
#include "compiler/model/workload.h"

namespace gpulint {

/// What a DaemonSet does for the GPUs of its nodes.
enum class GpuDaemonRole : std::uint8_t {
  device_plugin,
  dra_driver,  ///< The kubelet plugin that publishes ResourceSlices.
  driver,
  container_toolkit,
  mig_manager,
  vgpu_manager,
  feature_discovery,       ///< GPU labels.
  node_feature_discovery,  ///< Labels by which operators select nodes.
  monitoring,
  network,  ///< RDMA, SR-IOV, further interfaces of pods.
  other     ///< Any other DaemonSet that selects only GPU nodes.
};
[[nodiscard]] std::string_view to_string(GpuDaemonRole role);

struct GpuDaemon {
  GpuDaemonRole role = GpuDaemonRole::device_plugin;
  std::string_view vendor;  ///< `nvidia.com` …; empty if unknown.
  /// The prefix of the resources that a network plugin offers: `rdma/`; empty if unknown.
  std::string_view devices = {};
};

/// Recognised by name, images and commands, else by the nodes it selects; nullopt for other
/// DaemonSets.
[[nodiscard]] std::optional<GpuDaemon> find_gpu_daemon(const Workload& workload);

/// Whether a DCGM exporter connects to a remote host engine, which has the GPUs
/// (NVIDIA/dcgm-exporter, README: `-r`). Also for the values of its chart.
[[nodiscard]] bool uses_remote_engine(const Workload& workload);

/// The vendor of a pool's accelerators, by resources, labels, taints and machine type; empty if
/// unknown.
[[nodiscard]] std::string_view accelerator_vendor(const NodePool& pool);

/// Whether nodes of the pool offer network devices to pods.
[[nodiscard]] bool has_network_devices(const NodePool& pool);

}  // namespace gpulint
