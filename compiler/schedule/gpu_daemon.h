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
  node_feature_discovery,  ///< The labels by which operators find their nodes.
  monitoring,
  network,  ///< RDMA, SR-IOV, further interfaces of pods.
  other     ///< Whatever selects GPU nodes alone.
};
[[nodiscard]] std::string_view to_string(GpuDaemonRole role);

struct GpuDaemon {
  GpuDaemonRole role = GpuDaemonRole::device_plugin;
  std::string_view vendor;  ///< `nvidia.com` …; empty where nothing tells.
  /// How the resources that a network plugin offers begin: `rdma/`; empty where nothing tells.
  std::string_view devices = {};
};

/// Recognised by name, images and commands, else by what it selects; nullopt for other DaemonSets.
[[nodiscard]] std::optional<GpuDaemon> find_gpu_daemon(const Workload& workload);

/// Whether a DCGM exporter asks a host engine elsewhere, which has the GPUs (NVIDIA/dcgm-exporter,
/// README: `-r`); of its chart's values, too.
[[nodiscard]] bool asks_remote_engine(const Workload& workload);

/// The vendor of a pool's accelerators by resources, labels, taints and machine type; empty where
/// nothing tells.
[[nodiscard]] std::string_view accelerator_vendor(const NodePool& pool);

/// Whether nodes of the pool have network devices of the kind that pods are given.
[[nodiscard]] bool has_network_devices(const NodePool& pool);

}  // namespace gpulint
