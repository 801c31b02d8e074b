#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/ir/node.h"
#include "compiler/model/workload.h"

namespace gpulint {

/// A port of its node that a pod takes.
struct HostPort {
  std::int64_t number = 0;
  std::string protocol;  ///< `TCP` if the port states none.
  std::string address;   ///< Of the node; empty: all of its addresses.
  Node node;             ///< Where the number is.
  Node host_network;     ///< `hostNetwork: true` if that makes the port one of the node; else null.

  [[nodiscard]] Node cause() const { return host_network ? host_network : node; }
};

/// The ports that are known. With `hostNetwork` each port of a container is one (Kubernetes 1.37,
/// pkg/apis/core/v1/defaults.go, defaultHostNetworkPorts).
[[nodiscard]] std::vector<HostPort> host_ports(const PodSpec& pod);

/// Whether one node cannot have both (Kubernetes 1.37, pkg/scheduler/framework/types.go,
/// CheckConflict).
[[nodiscard]] bool collide(const HostPort& one, const HostPort& other);

}  // namespace gpulint
