#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/model/cluster.h"

namespace gpulint {

/// The Nodes of a large cluster, one of each kind.
struct NodeClasses {
  std::vector<NodePool> pools;
  std::vector<std::string> own_labels;  ///< Keys of labels by which the nodes of a kind differ.
};

/// Keeps the first of Nodes that differ in nothing but their names and labels whose value is each
/// node's own (`kubernetes.io/hostname`, ids of machines). Labels of a few nodes are no such ids:
/// clusters of fewer than 64 nodes stay whole.
[[nodiscard]] NodeClasses find_node_classes(std::vector<NodePool> nodes);

/// Whether a document of this text may ask for one node among its kind.
[[nodiscard]] bool may_distinguish(const NodeClasses& kinds, std::string_view text);

}  // namespace gpulint
