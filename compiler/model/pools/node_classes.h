#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/model/pools/cluster.h"

namespace gpulint {

/// The Nodes of a large cluster, one for each class.
struct NodeClasses {
  std::vector<NodePool> pools;
  std::vector<std::string> own_labels;  ///< Keys of labels that differ between nodes of a class.
};

/// Keeps the first of Nodes that differ only in their names and in labels that are unique to each
/// node (`kubernetes.io/hostname`, ids of machines); its `equal_nodes` counts the others. In small
/// clusters such labels are not certain to be ids: clusters of fewer than 64 nodes stay whole.
[[nodiscard]] NodeClasses find_node_classes(std::vector<NodePool> nodes);

/// Whether a document with this text may select one node of a class.
[[nodiscard]] bool may_distinguish(const NodeClasses& kinds, std::string_view text);

}  // namespace gpulint
