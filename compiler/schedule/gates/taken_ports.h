#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "compiler/schedule/gates/node_map.h"
#include "compiler/schedule/host_ports.h"
#include "compiler/schedule/verdict.h"

namespace gpulint {

/// The host ports that pods bound to a node by name and pods of DaemonSets take on the nodes.
class TakenPorts {
 public:
  /// Both must outlive it.
  TakenPorts(const NodeMap& map, const std::vector<Workload>& workloads);

  /// Adds an obstacle if a port of the workload is taken on all nodes in `fitting`, which fit the
  /// pod otherwise.
  void check(const Workload& workload, const Pools& fitting, Obstacles& found) const;

 private:
  struct Use {
    const Workload* workload;
    HostPort port;
  };
  /// Null if the port is free for the workload.
  [[nodiscard]] const Use* find(std::size_t pool, const Workload& workload,
                                const HostPort& port) const;

  const NodeMap& map_;
  std::map<std::size_t, std::vector<Use>> uses_;  // by pool
};

}  // namespace gpulint
