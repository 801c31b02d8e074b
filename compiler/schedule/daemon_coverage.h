#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "compiler/model/corpus.h"
#include "compiler/schedule/placement_analysis.h"
#include "compiler/schedule/known_nodes.h"

namespace gpulint {

/// What a DaemonSet does for the GPUs of its nodes.
enum class GpuDaemonRole : std::uint8_t { device_plugin, driver, feature_discovery, monitoring };
[[nodiscard]] std::string_view to_string(GpuDaemonRole role);

struct GpuDaemon {
  GpuDaemonRole role = GpuDaemonRole::device_plugin;
  std::string_view vendor;  ///< `nvidia.com` …; empty where nothing tells.
};
/// Recognised by image and name; nullopt for other DaemonSets, those of network devices included.
[[nodiscard]] std::optional<GpuDaemon> find_gpu_daemon(const Workload& workload);

/// Why GPU DaemonSets certainly miss GPU nodes: an UntoleratedTaint of nodes that they select, or
/// an UnmatchedRequirement (NoNodeFits where nodes without GPUs meet it) where they select no GPU
/// node. Nodes that another DaemonSet of the same role may serve are left out.
[[nodiscard]] std::vector<Cause> find_daemon_gaps(const KnownNodes& nodes);

}  // namespace gpulint
