#pragma once

#include <optional>

#include "compiler/ir/node.h"
#include "compiler/model/cluster.h"
#include "compiler/model/objects.h"

namespace gpulint {

/// Node pools that a cloud's controller makes from an object: Config Connector's ContainerNodePool
/// and ContainerCluster, Cluster API's managed machine pools (AWS, Azure, GCP). nullopt for others.
[[nodiscard]] std::optional<NodePool> read_cloud_pool(const KubernetesObject& object);

}  // namespace gpulint
