#pragma once

#include "compiler/ir/node.h"
#include "compiler/model/pools/cluster.h"

namespace gpulint {

/// A `v1 Node` object. Labels and taints are complete; resources are complete if the status has
/// them (`allocatable`, else `capacity`, as the API server defaults it).
[[nodiscard]] NodePool read_node(Node object);

/// A map of labels as labels that every node has.
[[nodiscard]] std::vector<PoolLabel> read_pool_labels(Node mapping);

}  // namespace gpulint
