#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/engine/reporter.h"
#include "compiler/schedule/gpu_capacity.h"
#include "compiler/schedule/known_nodes.h"

namespace gpulint::rules::gpu_demand_exceeds_nodes {

/// Pods of one template that run side by side.
struct Share {
  const Workload* workload = nullptr;
  const PreparedPod* pod = nullptr;
  DeviceDemand demand;
  std::int64_t pods = 0;
  Node count;  ///< Where `pods` is written; nothing where it is not.

  [[nodiscard]] std::int64_t devices() const { return pods * demand.amount; }
};

using Shares = std::vector<Share>;

/// Pods that run at the same time.
struct Gatherings {
  std::vector<Shares> objects;   ///< Those of one object: replicas, workers of a job.
  std::vector<Shares> services;  ///< All services of the scope, by the resource that they want.
};

[[nodiscard]] Gatherings gather(const Placement& placement);

[[nodiscard]] std::int64_t sum_devices(const Shares& shares);

/// How many pods the nodes that may take one of them run at most, whatever they want; nothing where
/// one of them does not say. Counts no further than to `enough`.
[[nodiscard]] std::optional<std::int64_t> places_for_pods(const KnownNodes& nodes,
                                                          const Shares& shares,
                                                          std::int64_t enough);

/// The resource on all nodes that may take one of the pods; nothing where an amount is open, or
/// where some pod fits nowhere, which is for others to say.
[[nodiscard]] std::optional<std::int64_t> offered(const KnownNodes& nodes, const Shares& shares);

/// Pods that want a node each (by a required anti-affinity or a port of the host), and fewer nodes
/// that may take them. Whether there was something to report.
bool check_apart(const KnownNodes& nodes, const Share& share, Reporter& reporter);

}  // namespace gpulint::rules::gpu_demand_exceeds_nodes
