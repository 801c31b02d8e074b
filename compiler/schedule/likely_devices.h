#pragma once

#include <deque>
#include <memory>
#include <span>

#include "compiler/model/dra/inventory.h"
#include "compiler/model/objects.h"
#include "compiler/model/pools/cluster.h"

namespace gpulint {

/// Pools as nodes that NVIDIA's DRA driver runs on, with the devices that their machines likely
/// have: so many at most, each of type `gpu`, of a product where the machines tell one; what else
/// it has is open. Of a pool whose machines are not known everything is.
struct LikelyNodes {
  std::deque<NodePool> nodes;  ///< In the order of the pools.
  std::shared_ptr<const dra::Inventory> inventory;
};

/// For clusters without ResourceSlices: with the classes among the objects, and the driver's own
/// `gpu.nvidia.com`. Facts: NVIDIA/k8s-dra-driver-gpu v25.3 (deviceclass-gpu.yaml,
/// cmd/gpu-kubelet-plugin/deviceinfo.go); facts/instance-types.json; the product is what GPU
/// Feature Discovery makes its label of, by facts/accelerators.json.
[[nodiscard]] LikelyNodes find_likely_nodes(const Cluster& cluster,
                                            std::span<const KubernetesObject> objects);

}  // namespace gpulint
