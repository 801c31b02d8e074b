#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compiler/ir/field.h"
#include "compiler/model/objects.h"
#include "compiler/model/pools/cluster.h"

namespace gpulint {

/// The EC2NodeClass objects that a Karpenter NodePool names (`nodeClassRef`). Several if they share
/// the name.
[[nodiscard]] std::vector<Node> ec2_node_classes(const NodePool& pool,
                                                 std::span<const KubernetesObject> objects);

/// How many pods a node of the pool runs: `maxPods` of the pool's EC2NodeClass among the objects,
/// of Karpenter's older APIs and of AKS, `maxPodsPerNode` of eksctl. Absent if several node classes
/// have the name.
[[nodiscard]] Field<std::int64_t> read_pod_limit(const NodePool& pool,
                                                 std::span<const KubernetesObject> objects);

}  // namespace gpulint
