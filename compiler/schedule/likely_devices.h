#pragma once

#include <deque>
#include <memory>
#include <span>

#include "compiler/model/dra/inventory.h"
#include "compiler/model/objects.h"
#include "compiler/model/pools/cluster.h"

namespace gpulint {

/// Pools as nodes with NVIDIA's DRA driver, and the devices that their machines likely have. The
/// number is the maximum. Each device has the type `gpu` and, if the machines have one product, its
/// name; other attributes are unknown. If the machines of a pool are unknown, so are its devices.
struct LikelyNodes {
  std::deque<NodePool> nodes;  ///< In the order of the pools.
  std::shared_ptr<const dra::Inventory> inventory;
};

/// For clusters without ResourceSlices: with the DeviceClasses among the objects and the driver's
/// own class `gpu.nvidia.com`. Facts: NVIDIA/k8s-dra-driver-gpu v25.3 (deviceclass-gpu.yaml,
/// cmd/gpu-kubelet-plugin/deviceinfo.go); facts/instance-types.json; facts/accelerators.json for
/// the product, from which GPU Feature Discovery makes its label.
[[nodiscard]] LikelyNodes find_likely_nodes(const Cluster& cluster,
                                            std::span<const KubernetesObject> objects);

}  // namespace gpulint
