#pragma once

#include "compiler/ir/document.h"

namespace gpulint {

/// A collection that is not closed yet, while a tree is built in the order of its text.
struct OpenNode {
  NodeIndex node = no_node;
  NodeIndex last_child = no_node;
};

/// Adds a node to the arena: as the last child of `parent`, or as the root if that is null.
inline NodeIndex add_node(Document& document, NodeKind kind, OpenNode* parent) {
  const auto index = static_cast<NodeIndex>(document.nodes.size());
  NodeData& added = document.nodes.emplace_back();
  added.kind = kind;
  if (parent == nullptr) {
    document.root = index;
    return index;
  }
  NodeData& above = document.nodes[parent->node];
  added.parent = parent->node;
  if (above.kind == NodeKind::mapping && above.child_count % 2 == 1) {
    added.key = parent->last_child;
  }
  if (parent->last_child == no_node) {
    above.first_child = index;
  } else {
    document.nodes[parent->last_child].next = index;
  }
  ++above.child_count;
  parent->last_child = index;
  return index;
}

}  // namespace gpulint
